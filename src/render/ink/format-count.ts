const NUMBER = new Intl.NumberFormat('en-US')

/** A count for people: `12,345`, the same everywhere. */
export function formatCount(count: number): string {
  return count < 1000 && count > -1000 ? String(count) : NUMBER.format(count)
}
