import { ToolError, type ErrorType } from 'loadout'

/** What an HTTP status other than success means for the caller. */
export function statusFailure(status: number, url: URL): ToolError {
  return new ToolError(statusType(status), `${url.href} answered with status ${status}.`, {
    details: { status },
  })
}

function statusType(status: number): ErrorType {
  if (status === 401 || status === 403 || status === 407) return 'AUTH'
  if (status === 404 || status === 410) return 'NOT_FOUND'
  if (status === 429) return 'RATE_LIMIT'
  return status === 408 || status >= 500 ? 'TRANSIENT' : 'PERMANENT'
}

/** Any failure of a fetch as a typed one: given up, out of time, refused, or the network's. */
export function fetchFailure(
  error: unknown,
  url: URL,
  given: AbortSignal,
  timeoutMs: number,
): ToolError {
  if (ToolError.is(error)) return error
  const harmless = { partialSideEffects: false }
  if (given.aborted) {
    return new ToolError('ABORTED', `The call was given up before ${url.href} was read.`, harmless)
  }
  const name = error instanceof Error ? error.name : ''
  if (name === 'AbortError' || name === 'TimeoutError') {
    return new ToolError('TIMEOUT', `${url.href} took longer than ${timeoutMs} ms.`, harmless)
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const details = { code, host: url.hostname }
  if (code === 'ENOTFOUND') {
    return new ToolError('NOT_FOUND', `There is no host "${url.hostname}".`, { details })
  }
  return new ToolError('TRANSIENT', `${url.href} could not be read (${code}).`, { details })
}
