/**
 * A count for people: `12,345`, the same everywhere. By hand, since the platform's formatter takes
 * milliseconds to begin, and the first frame waits for it.
 */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/gu, ',')
}
