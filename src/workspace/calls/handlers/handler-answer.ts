import { isObject, type JsonValue } from '../../../kernel/json-value.ts'
import type { Intent, IntentMoment } from '../../../tools/intents/intent.ts'
import { ErrorType } from '../../../tools/response/error-type.ts'
import {
  type HandlerFailure,
  type HandlerSuccess,
  isToolResponse,
  type ResponseError,
  responseError,
} from '../../../tools/response/tool-response.ts'
import type { ValueIssue } from '../../../tools/schema/schema-source.ts'
import { shorten, tryOrUndefined } from '../../../kernel/thrown-message.ts'

/** A handler's answer as plain data, before its output is validated. */
export type HandlerAnswer = (
  | { readonly ok: true; readonly data: JsonValue; readonly intents: readonly Intent[] }
  | { readonly ok: false; readonly error: ResponseError }
) & {
  /** Facts a handler put into its envelope. The pipeline's own facts override them. */
  readonly meta?: Readonly<Record<string, unknown>>
}

type JsonObject = { readonly [key: string]: JsonValue }

const MEMBERS: ReadonlySet<string> = new Set(['ok', 'data', 'error', 'intents', 'meta'])

const MOMENTS: readonly unknown[] = [
  'now',
  'after-turn',
  'next-turn',
] satisfies readonly IntentMoment[]

/**
 * Distinguishes an envelope from plain data, and reads it.
 *
 * A value that is an envelope except for a mistake in its intents or its message is refused: as data, the
 * mistake would reach the model. Any other value is data.
 */
export function handlerAnswer(value: JsonValue): HandlerAnswer {
  if (isToolResponse(value)) return value.ok ? success(value) : failure(value)
  const [first, ...more] = isObject(value) ? envelopeIssues(value) : []
  if (first === undefined) return { ok: true, data: value, intents: [] }
  const message = `The handler's envelope is malformed: ${first.path} ${first.message}.`
  const issues = [first, ...more]
  return { ok: false, error: responseError(ErrorType.BAD_OUTPUT, message, { issues }) }
}

function success({ data, intents = [], meta }: HandlerSuccess): HandlerAnswer {
  const taken = intents.map(({ type, when, payload }): Intent => ({
    type,
    when,
    ...(payload !== undefined && { payload }),
  }))
  return { ok: true, data: data as JsonValue, intents: taken, ...(meta && { meta }) }
}

function failure({ error, meta }: HandlerFailure): HandlerAnswer {
  const { type, message, retryable, partialSideEffects, details } = error
  const text = message === '' ? 'No message.' : shorten(message)
  const known = isErrorType(type)
  const taken: ResponseError = known
    ? {
        ...responseError(type, text, isObject(details) ? details : {}),
        ...(typeof retryable === 'boolean' && { retryable }),
        ...(typeof partialSideEffects === 'boolean' && { partialSideEffects }),
      }
    : responseError(ErrorType.INTERNAL, text, { unknownType: shorten(type) })
  return { ok: false, error: taken, ...(meta && { meta }) }
}

/** Returns the mistakes in a value that was meant to be an envelope; none for plain data. */
function envelopeIssues(value: JsonObject): readonly ValueIssue[] {
  if (!Object.keys(value).every((key) => MEMBERS.has(key))) return []
  const { ok, error, intents } = value
  if (ok === true && intents !== undefined && Object.hasOwn(value, 'data')) {
    if (!Array.isArray(intents)) return [{ path: '/intents', message: 'must be a list' }]
    return intents.flatMap((intent: JsonValue, index) => intentIssues(intent, `/intents/${index}`))
  }
  if (ok === false && isObject(error) && isErrorType(error['type'])) {
    const text = typeof error['message'] === 'string'
    return text ? [] : [{ path: '/error/message', message: 'must be text' }]
  }
  return []
}

function intentIssues(intent: JsonValue, path: string): readonly ValueIssue[] {
  if (!isObject(intent)) return [{ path, message: 'must be an object' }]
  const issues: ValueIssue[] = []
  if (typeof intent['type'] !== 'string') {
    issues.push({ path: `${path}/type`, message: 'must be a name' })
  }
  if (!MOMENTS.includes(intent['when'])) {
    issues.push({ path: `${path}/when`, message: `must be one of ${MOMENTS.join(', ')}` })
  }
  return issues
}

/** Restores `data: undefined` as null. JSON leaves it out, and without it a value is no envelope. */
export function restoreMissingData(plain: JsonValue, returned: unknown): JsonValue {
  if (!isObject(plain)) return plain
  const filled: JsonValue = { data: null, ...(plain as { readonly [key: string]: JsonValue }) }
  const had = tryOrUndefined(() => Object.hasOwn(returned as object, 'data')) ?? false
  const envelope: boolean = had && isToolResponse(filled)
  return envelope ? filled : plain
}

/** True for the name of an error type; handlers make names up. */
export function isErrorType(value: unknown): value is ErrorType {
  return typeof value === 'string' && Object.hasOwn(ErrorType, value)
}
