import { isObject } from '../../kernel/json-value.ts'
import type { Intent, ReturnedIntent } from '../intents/intent.ts'
import { type ContentPart, isContentPart, type ReturnedPart } from './content-part.ts'
import { ERROR_TRAITS, type ErrorTraits, type ErrorType } from './error-type.ts'

/** The version of the envelope. */
export const RESPONSE_VERSION = '1.0.0'

/** Facts about one call, for success and failure. */
interface ResponseMeta {
  readonly version: typeof RESPONSE_VERSION
  readonly tool: string
  readonly call: string
  /** Milliseconds that the handler ran; 0 if it did not run. */
  readonly durationMs: number
  /** The log entry that ended or refused the call; absent if it could not be written. */
  readonly seq?: number
  /** Sentences about the parts of the result that were lost; absent if there are none. */
  readonly warnings?: readonly string[]
  readonly [key: string]: unknown
}

export interface ToolSuccess<O = unknown> {
  readonly ok: true
  /** For the host and for programs. A model reads it when there is no `content`. */
  readonly data: O
  /** The parts that a model reads instead of `data`; absent when the handler returned none. */
  readonly content?: readonly ContentPart[]
  readonly intents: readonly Intent[]
  readonly meta: ResponseMeta
}

/** The reason why a call failed, for models to read and programs to act on. */
export interface ResponseError {
  readonly type: ErrorType
  readonly message: string
  readonly retryable: boolean
  readonly partialSideEffects: boolean
  readonly details: Readonly<Record<string, unknown>>
}

export interface ToolFailure {
  readonly ok: false
  readonly error: ResponseError
  readonly meta: ResponseMeta
}

/** The result of every call. */
export type ToolResponse<O = unknown> = ToolSuccess<O> | ToolFailure

/** Creates the error of an envelope, with the traits of its type. */
export function responseError(
  type: ErrorType,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ResponseError {
  return { type, message, ...ERROR_TRAITS[type], details }
}

/** An envelope that a handler returns. The pipeline adds the facts about the call. */
export type HandlerOutcome<O = unknown> = HandlerSuccess<O> | HandlerFailure

export interface HandlerSuccess<O = unknown> {
  readonly ok: true
  readonly data: O
  readonly content?: readonly ReturnedPart[]
  readonly intents?: readonly ReturnedIntent[]
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface HandlerFailure {
  readonly ok: false
  readonly error: Pick<ResponseError, 'type' | 'message'> & Partial<ResponseError>
  readonly meta?: Readonly<Record<string, unknown>>
}

/**
 * Returns data together with intents for the orchestrator, or with parts for the model. Without them, return
 * the data itself.
 *
 * A model reads the parts and not the data. Add a text part for what it should read of the data.
 *
 *     return succeed({ rows }, { content: [{ type: 'image', mediaType: 'image/png', data: buffer }] })
 */
export function succeed<O>(
  data: O,
  options: Pick<HandlerSuccess, 'content' | 'intents' | 'meta'> = {},
): HandlerSuccess<O> {
  return { ok: true, data, ...options }
}

/** Returns a failure without throwing. The options override the traits of the type. */
export function fail(
  type: ErrorType,
  message: string,
  options: Partial<ErrorTraits> & Partial<Pick<ResponseError, 'details'>> = {},
): HandlerFailure {
  return { ok: false, error: { type, message, ...ERROR_TRAITS[type], details: {}, ...options } }
}

const SUCCESS_MEMBERS: readonly string[] = ['ok', 'data', 'content', 'intents', 'meta']

const FAILURE_MEMBERS: readonly string[] = ['ok', 'error', 'meta']

/**
 * Returns true for an envelope, and false for plain data that has a member `ok`.
 *
 * An envelope has no other members, so `{ ok: true, count: 3 }` is data. An error with an unknown type is
 * still a failure. Intents are not checked here: a malformed one is dropped, and the result counts. Pass a
 * plain copy of the handler's result with its parts in their final form, because getters and proxies of the
 * original may throw.
 */
export function isToolResponse(value: unknown): value is HandlerOutcome {
  if (!isObject(value)) return false
  const has = (names: readonly string[]) => Object.keys(value).every((name) => names.includes(name))
  if (value['ok'] === true) {
    const { meta, content = [] } = value
    return (
      Object.hasOwn(value, 'data') &&
      has(SUCCESS_MEMBERS) &&
      (meta === undefined || isObject(meta)) &&
      Array.isArray(content) &&
      content.every(isContentPart)
    )
  }
  const { error } = value
  return (
    value['ok'] === false &&
    has(FAILURE_MEMBERS) &&
    isObject(error) &&
    typeof error['type'] === 'string' &&
    typeof error['message'] === 'string'
  )
}
