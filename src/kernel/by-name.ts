/** Compare by UTF-16 code unit: the same order on every machine, whatever its language. */
export function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
