import type { JsonValue } from '../../../kernel/json-value.ts'
import { hideSecrets, type Redactor } from '../../../kernel/redactor.ts'
import { thrownMessage, tryOrUndefined } from '../../../kernel/thrown-message.ts'
import { ErrorType, ToolError } from '../../../tools/response/error-type.ts'
import { type ResponseError, responseError } from '../../../tools/response/tool-response.ts'
import { isErrorType } from './handler-answer.ts'
import { jsonResult } from './json-result.ts'

/** Bytes of JSON one detail may take. */
const MAX_DETAIL_BYTES = 16_384

/**
 * Returns the error of an envelope for an exception that no tool author meant for a model: its name, and the
 * first line of its message without secrets. The host gets the exception itself (`onHandlerError`). Never throws.
 *
 * @param keeps the text that the runtime of the tool gives to a model, which is kept but for secrets: the AI SDK writes
 *   the name of the error, too
 */
export function internalError(
  thrown: unknown,
  redactor?: Redactor,
  keeps?: 'message' | 'name and message',
): ResponseError {
  const facts = tryOrUndefined(() => labels(thrown)) ?? {}
  if (keeps !== undefined) {
    const read = keeps === 'message' ? thrownMessage : textOf
    const lines = (tryOrUndefined(() => read(thrown)) ?? '').split('\n')
    const text = lines.map((line) => hideSecrets(line, redactor)).join('\n')
    return responseError(ErrorType.INTERNAL, text, facts)
  }
  const [first = ''] = thrownMessage(thrown).split(/[\r\n]/v, 1)
  const message = hideSecrets(first, redactor)
  const { name } = facts
  const what = name === undefined || name === 'Error' || name === message ? '' : `${name}: `
  return responseError(ErrorType.INTERNAL, `${THREW}${what}${message}`, facts)
}

const THREW = 'The handler threw: '

/** Returns what a handler threw, without secrets and its name; the message of any other error. */
export function thrownLine({ message, details }: ResponseError): string {
  const line = message.startsWith(THREW) ? message.slice(THREW.length) : message
  const name = `${String(details['name'])}: `
  return line.startsWith(name) ? line.slice(name.length) : line
}

/** Returns the text of an exception as the SDK writes it. */
function textOf(thrown: unknown): string {
  if (thrown === null || thrown === undefined) return 'unknown error'
  if (typeof thrown === 'string') return thrown
  return thrown instanceof Error ? thrown.toString() : (JSON.stringify(thrown) ?? '')
}

/**
 * Returns the error of an envelope for a `ToolError`, with its type, its traits and the details that JSON can
 * carry; undefined for any other value. Never throws.
 */
export function toolErrorOf(thrown: unknown): ResponseError | undefined {
  return tryOrUndefined(() => fromToolError(thrown))
}

function fromToolError(thrown: unknown): ResponseError | undefined {
  if (!ToolError.is(thrown)) return undefined
  const { type, retryable, partialSideEffects, details } = thrown
  if (!isErrorType(type)) return undefined
  const message = thrownMessage(thrown)
  return { type, message, retryable, partialSideEffects, details: detailsOf(details) }
}

/** Copies each detail separately, so that one that JSON cannot carry does not remove the others. */
function detailsOf(details: object): Readonly<Record<string, JsonValue>> {
  const kept = Object.entries(details).map(([key, value]): [string, JsonValue] => {
    const result = jsonResult(value, { maxBytes: MAX_DETAIL_BYTES })
    return [key, result.ok ? result.value : `(left out: it ${result.message})`]
  })
  return Object.fromEntries(kept)
}

/** Returns the name and code by which programs distinguish errors. */
function labels(thrown: unknown): Readonly<Record<string, string>> {
  if (typeof thrown !== 'object' || thrown === null) return {}
  const found = ['name', 'code'].flatMap((key): [string, string][] => {
    const value: unknown = Reflect.get(thrown, key)
    return typeof value === 'string' && value.length <= 100 ? [[key, value]] : []
  })
  return Object.fromEntries(found)
}
