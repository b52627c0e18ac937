import {
  type Progress,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { ConnectionLost } from '../../../entries/adapter.ts'
import { type ErrorType, fail, succeed, ToolError, WorkspaceError } from '../../../entries/index.ts'
import {
  canonicalJson,
  thrownMessage,
  type ToolServer,
  tryOrUndefined,
} from '../../../entries/kit.ts'
import type { ProgressUpdate } from '../../../tools/definition/call-client.ts'
import { mcpParts } from '../../../tools/response/mcp-result.ts'
import type { HandlerOutcome } from '../../../tools/response/tool-response.ts'
import { TryLater } from './bounded-fetch.ts'

type ServerTerms = ReturnType<NonNullable<ToolServer['terms']>>

/** Codes of servers that must not get the same call again: what they send is too much. */
const FLOODS: ReadonlySet<string> = new Set(['SERVER_FLOODS', 'SERVER_PRINTS'])

/** Returns the error of a call whose connection has ended for a reason that is known. */
export function endedError(reason: WorkspaceError, thrown: unknown): Error {
  const { code, message } = reason
  if (FLOODS.has(code)) {
    return new ToolError('PERMANENT', message, { details: { code }, partialSideEffects: true })
  }
  const lost = callError(thrown)
  return ConnectionLost.is(lost) ? new ConnectionLost(message, lost.sent, reason) : lost
}

/**
 * Reads the result of a call. A result with `isError` is a failure; the text of a server is not read for its meaning.
 * Of any other, the data is its structured content, or else its text, and a model reads the parts: those of the result,
 * its structured content, or both.
 */
export function readCallResult(
  result: Readonly<Record<string, unknown>>,
  read: ServerTerms['read'],
): HandlerOutcome {
  const given = Array.isArray(result['content']) ? (result['content'] as readonly unknown[]) : []
  const content = mcpParts(given)
  const text = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
  if (result['isError'] === true) {
    // The tool ran, and what it did before it failed is not known.
    return fail('PERMANENT', text === '' ? 'The tool reports an error.' : text, {
      partialSideEffects: true,
    })
  }
  const { structuredContent: data } = result
  if (data === undefined) {
    return succeed(text, content.length === 0 ? {} : { content })
  }
  const others = content.filter(({ type }) => type !== 'text')
  if (text === '' && others.length === 0) return succeed(data)
  // Nothing is given twice: most servers write the data as their text, too.
  const isSame = isSameText(text, data)
  const asText = { type: 'text' as const, text: JSON.stringify(data) }
  if (read === 'structured') {
    return succeed(data, others.length === 0 ? {} : { content: [asText, ...others] })
  }
  if (read === 'both' && !isSame) return succeed(data, { content: [...content, asText] })
  const isUnread = read === undefined && !isSame
  return succeed(data, { content, ...(isUnread && { meta: { warnings: [UNREAD] } }) })
}

/** The warning of a result whose text is not its data. */
const UNREAD =
  'The model read the text of the result and not its structured content, which is not the same. Set "read" of the server to "text", "structured" or "both".'

/** Returns true for a text that is the JSON of some data. */
function isSameText(text: string, data: unknown): boolean {
  const same = () => canonicalJson(JSON.parse(text)) === canonicalJson(data)
  return tryOrUndefined(same) ?? false
}

/** Returns the error of a call for what the client throws: by its codes, never by its texts. */
export function callError(thrown: unknown): Error {
  if (thrown instanceof TryLater) {
    const { status, retryAfterMs: wait } = thrown
    const type = status === 429 ? 'RATE_LIMIT' : 'TRANSIENT'
    return new ToolError(type, thrown.message, { details: { status, retryAfterMs: wait } })
  }
  if (SdkHttpError.isInstance(thrown)) return httpError(thrown, thrown.status)
  if (UnauthorizedError.isInstance(thrown)) return unauthorized(thrown)
  if (ProtocolError.isInstance(thrown)) {
    const type = BY_PROTOCOL_CODE.get(thrown.code) ?? 'PERMANENT'
    const details = { code: thrown.code, ...(thrown.data !== undefined && { data: thrown.data }) }
    return new ToolError(type, thrown.message, { details })
  }
  if (SdkError.isInstance(thrown)) {
    const type = BY_CLIENT_CODE.get(thrown.code)
    if (type === undefined)
      return new ConnectionLost(thrown.message, !UNSENT.has(thrown.code), thrown)
    const more = { details: { code: thrown.code }, partialSideEffects: true }
    return new ToolError(type, thrown.message, more)
  }
  // `fetch` throws a TypeError whose cause has the code of the system.
  const code = (thrown as { readonly cause?: { readonly code?: unknown } }).cause?.code
  return new ConnectionLost(thrownMessage(thrown), code !== 'ECONNREFUSED', thrown)
}

/** Codes of JSON-RPC and of the protocol. */
const BY_PROTOCOL_CODE: ReadonlyMap<number, ErrorType> = new Map([
  [-32_602, 'VALIDATION'],
  [-32_601, 'NOT_FOUND'],
  [-32_603, 'INTERNAL'],
])

const BY_CLIENT_CODE: ReadonlyMap<string, ErrorType> = new Map([
  [SdkErrorCode.InvalidResult, 'BAD_OUTPUT'],
  [SdkErrorCode.UnsupportedResultType, 'BAD_OUTPUT'],
  [SdkErrorCode.InputRequiredRoundsExceeded, 'PERMANENT'],
  [SdkErrorCode.CapabilityNotSupported, 'PERMANENT'],
  [SdkErrorCode.MethodNotSupportedByProtocolVersion, 'PERMANENT'],
  [SdkErrorCode.RequestTimeout, 'TIMEOUT'],
])

/** Codes of calls that did not leave this process. */
const UNSENT: ReadonlySet<string> = new Set([SdkErrorCode.NotConnected, SdkErrorCode.SendFailed])

function httpError(thrown: SdkHttpError, status: number): Error {
  if (status === 401 || status === 403) return unauthorized(thrown)
  // A server that was started again does not know the session: 404 by the protocol, and 400 by many servers.
  if (status === 404 || status === 400) return new ConnectionLost(thrown.message, false, thrown)
  const details = { status }
  if (status === 429) return new ToolError('RATE_LIMIT', thrown.message, { details })
  const type = status >= 500 ? 'TRANSIENT' : 'PERMANENT'
  return new ToolError(type, thrown.message, { details, partialSideEffects: status >= 500 })
}

function unauthorized(thrown: Error): ToolError {
  return new ToolError('AUTH', `The server does not accept the credentials: ${thrown.message}`)
}

/** Returns the error of a connection that failed, with a code for the stage. */
export function connectError(server: string, thrown: unknown): Error {
  if (WorkspaceError.is(thrown) && thrown.code !== 'TIME_LIMIT') return thrown
  const [code, hint] = failedStage(thrown)
  const message = `The server "${server}" cannot be connected: ${thrownMessage(thrown)}`
  return new WorkspaceError(code, message, { hint, facts: { server }, cause: thrown })
}

/** Returns the code of the stage at which it failed, and a hint. */
function failedStage(thrown: unknown): readonly [string, string] {
  const isHttp = SdkHttpError.isInstance(thrown)
  if (UnauthorizedError.isInstance(thrown) || (isHttp && [401, 403].includes(thrown.status))) {
    return ['SERVER_AUTH', 'Give it valid credentials: headers or authProvider.']
  }
  const timedOut = SdkError.isInstance(thrown) && thrown.code === SdkErrorCode.RequestTimeout
  if (timedOut || WorkspaceError.is(thrown)) {
    return ['SERVER_SILENT', 'It did not answer in time. Check that it speaks the protocol.']
  }
  return ['SERVER_NOT_CONNECTED', 'Check its address or command, and its revision.']
}

/** Returns progress in the form that listeners get. A server may count beyond its total. */
export function progressUpdate({ progress, total, message }: Progress): ProgressUpdate {
  const fraction = total === undefined || total <= 0 ? undefined : progress / total
  return {
    ...(message !== undefined && { message }),
    ...(fraction !== undefined && { fraction: Math.min(1, Math.max(0, fraction)) }),
  }
}
