import type { JsonValue } from '../../kernel/json-value.ts'
import type { ResponseError, ToolResponse } from './tool-response.ts'

/**
 * Returns a response without parts as the text that a model reads: only the data, or the error. Durations,
 * ids, entry numbers and intents are for the host and cost no tokens.
 */
export function modelText(response: ToolResponse): string {
  const value = response.ok ? response.data : modelError(response.error)
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')
}

/**
 * Returns the members of an error that a model reads. The hint of a refusal is part of its message; its
 * details repeat both for programs.
 */
export function modelError(error: ResponseError): { readonly [key: string]: JsonValue } {
  const { type, message, retryable, partialSideEffects, details } = error
  const hasOwnDetails = Object.keys(details ?? {}).length > 0 && !Object.hasOwn(details, 'code')
  return {
    error: type,
    message,
    ...(retryable && { retryable }),
    ...(partialSideEffects && { partialSideEffects }),
    ...(hasOwnDetails && { details: details as JsonValue }),
  }
}
