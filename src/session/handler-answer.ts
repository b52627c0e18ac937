import type { JsonValue } from '../kernel/json.ts'
import { ErrorType } from '../registry/error-type.ts'
import type { Intent, IntentMoment } from '../registry/intent.ts'
import type { ValueIssue } from '../registry/tool.ts'
import { type ResponseError, responseError } from '../registry/tool-response.ts'
import { isErrorType } from './is-error-type.ts'
import { shorten } from './shorten.ts'

/** What a handler answered, as plain data, before output validation. */
export type HandlerAnswer =
  | { readonly ok: true; readonly data: JsonValue; readonly intents: readonly Intent[] }
  | { readonly ok: false; readonly error: ResponseError }

type JsonObject = { readonly [key: string]: JsonValue }

const MOMENTS: readonly unknown[] = [
  'now',
  'after-turn',
  'next-turn',
] satisfies readonly IntentMoment[]

/**
 * Tell an envelope from plain data, and check it.
 *
 * An envelope is an object with `ok: true` and `intents`, or with `ok: false` and an `error`
 * object that has a `type`. An answer of some web service that merely has `ok` in it is data.
 * `meta` of a returned envelope is not taken over: the pipeline writes its own.
 */
export function handlerAnswer(value: JsonValue): HandlerAnswer {
  if (!isObject(value)) return { ok: true, data: value, intents: [] }
  if (member(value, 'ok') === true && member(value, 'intents') !== undefined) return success(value)
  const error = member(value, 'error')
  if (member(value, 'ok') === false && isObject(error) && member(error, 'type') !== undefined) {
    return { ok: false, error: failure(error) }
  }
  return { ok: true, data: value, intents: [] }
}

function success(envelope: JsonObject): HandlerAnswer {
  const intents = member(envelope, 'intents')
  const issues = intentIssues(intents)
  if (!Array.isArray(intents) || issues.length > 0) {
    const first = issues[0] ?? { path: '/intents', message: 'must be a list' }
    return {
      ok: false,
      error: responseError(
        ErrorType.BAD_OUTPUT,
        `The handler's intents are malformed: ${first.path} ${first.message}.`,
        { issues: issues.length > 0 ? issues : [first] },
      ),
    }
  }
  return { ok: true, data: member(envelope, 'data') ?? null, intents: intents.map(toIntent) }
}

function intentIssues(intents: JsonValue | undefined): readonly ValueIssue[] {
  if (!Array.isArray(intents)) return []
  return intents.flatMap((intent: JsonValue, index): ValueIssue[] => {
    const path = `/intents/${index}`
    if (!isObject(intent)) return [{ path, message: 'must be an object' }]
    const type = member(intent, 'type')
    const issues: ValueIssue[] = []
    if (typeof type !== 'string' || type === '') {
      issues.push({ path: `${path}/type`, message: 'must be a name' })
    }
    if (!MOMENTS.includes(member(intent, 'when'))) {
      issues.push({ path: `${path}/when`, message: `must be one of ${MOMENTS.join(', ')}` })
    }
    return issues
  })
}

function toIntent(intent: JsonObject): Intent {
  const payload = member(intent, 'payload')
  return {
    type: member(intent, 'type') as string,
    when: member(intent, 'when') as IntentMoment,
    ...(payload !== undefined && { payload }),
  }
}

function failure(error: JsonObject): ResponseError {
  const { type, message, retryable, partialSideEffects, details } = error
  const text = typeof message === 'string' && message !== '' ? shorten(message) : 'No message.'
  if (!isErrorType(type)) {
    const named = typeof type === 'string' ? shorten(type) : typeof type
    return responseError(ErrorType.INTERNAL, text, { unknownType: named })
  }
  return {
    ...responseError(type, text, isObject(details) ? details : {}),
    ...(typeof retryable === 'boolean' && { retryable }),
    ...(typeof partialSideEffects === 'boolean' && { partialSideEffects }),
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function member(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined
}
