/** What went wrong with a request, as far as whoever repeats it needs to know. */
export interface RequestFault {
  readonly message: string
  readonly isRetryable: boolean
  /** How long the server asks to be left alone; null when it does not say. */
  readonly retryAfterMs: number | null
}

/** Characters of what a server says of itself. */
const LONGEST = 200

/**
 * Read an error of the AI SDK (`statusCode`, `isRetryable`, `responseHeaders`), ours, which has the
 * same fields, or any other: that one is final.
 */
export function requestFault(error: unknown): RequestFault {
  const message = error instanceof Error ? error.message : String(error)
  const fields: Readonly<Record<string, unknown>> =
    typeof error === 'object' && error !== null ? { ...error } : {}
  const { statusCode, isRetryable, responseHeaders } = fields
  const status = typeof statusCode === 'number' ? `${statusCode} ` : ''
  return {
    message: `${status}${message}`.slice(0, LONGEST).toWellFormed(),
    isRetryable: isRetryable === true,
    retryAfterMs: retryAfter(responseHeaders),
  }
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfter(headers: unknown): number | null {
  if (typeof headers !== 'object' || headers === null) return null
  const given = new Map<string, unknown>(Object.entries(headers))
  const exact = Number(given.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(exact) && exact >= 0) return exact
  const text = given.get('retry-after')
  if (typeof text !== 'string' || text.trim() === '') return null
  const seconds = Number(text)
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}
