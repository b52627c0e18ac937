/**
 * Reads the header `Retry-After`: seconds, or a date. Returns milliseconds from now; null for anything else.
 *
 * @param now in milliseconds since 1970
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}
