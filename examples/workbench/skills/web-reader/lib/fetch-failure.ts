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

/** The caller no longer wants the page. */
export function givenUp(url: URL): ToolError {
  return new ToolError('ABORTED', `The call was given up before ${url.href} was read.`, {
    partialSideEffects: false,
  })
}

/** The page, with its redirects, took longer than it may. */
export function timedOut(url: URL, timeoutMs: number): ToolError {
  return new ToolError('TIMEOUT', `${url.href} took longer than ${timeoutMs} ms.`, {
    partialSideEffects: false,
  })
}

/** Whatever else went wrong between here and the page. */
export function networkFailure(error: unknown, url: URL): ToolError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const details = { code, host: url.hostname }
  if (code === 'ENOTFOUND') {
    return new ToolError('NOT_FOUND', `There is no host "${url.hostname}".`, { details })
  }
  return new ToolError('TRANSIENT', `${url.href} could not be read (${code}).`, { details })
}
