import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { ConnectionLost } from '../../../entries/adapter.ts'
import { type ErrorType, fail, succeed, ToolError } from '../../../entries/index.ts'
import { thrownMessage } from '../../../entries/kit.ts'
import { mcpParts } from '../../../tools/response/mcp-result.ts'
import type { HandlerOutcome } from '../../../tools/response/tool-response.ts'

/**
 * Reads the result of a call. A result with `isError` is a failure; the text of a server is not read for its meaning.
 * Of any other, the parts are those of the result, and the data is its structured content, or else its text.
 */
export function readCallResult(result: Readonly<Record<string, unknown>>): HandlerOutcome {
  const given = Array.isArray(result['content']) ? (result['content'] as readonly unknown[]) : []
  const content = mcpParts(given)
  const text = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
  if (result['isError'] === true) {
    // The tool ran, and what it did before it failed is not known.
    return fail('PERMANENT', text === '' ? 'The tool reports an error.' : text, {
      partialSideEffects: true,
    })
  }
  const { structuredContent: data = text } = result
  return succeed(data, content.length === 0 ? {} : { content })
}

/** Returns the error of a call for what the client throws: by its codes, never by its texts. */
export function callError(thrown: unknown): Error {
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
