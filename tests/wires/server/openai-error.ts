import type { JsonObject } from '../wire.ts'
import type { ErrorAnswer } from './answer.ts'

const TYPES: Readonly<Record<number, string>> = {
  401: 'invalid_request_error',
  404: 'invalid_request_error',
  429: 'requests',
}

/** The body of an error of OpenAI, on both of its wires. */
export function openAiError({ status, message, type }: ErrorAnswer): JsonObject {
  return {
    error: {
      message: message ?? `The scripted answer is an error with status ${status}.`,
      type: type ?? TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
      param: null,
      code: status === 429 ? 'rate_limit_exceeded' : null,
    },
  }
}
