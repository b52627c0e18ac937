import { isObject } from '../../kernel/json-value.ts'
import type { Intent, IntentMoment } from '../intents/intent.ts'
import { ERROR_TRAITS, type ErrorTraits, type ErrorType } from './error-type.ts'

/** The version of the envelope below. */
export const RESPONSE_VERSION = '1.0.0'

/** Facts about one call, on success and failure alike. */
interface ResponseMeta {
  readonly version: typeof RESPONSE_VERSION
  readonly tool: string
  readonly call: string
  /** Milliseconds the handler ran; 0 when it never did. */
  readonly durationMs: number
  /** The log entry that ended or refused the call; absent when the log could not take it. */
  readonly seq?: number
  readonly [key: string]: unknown
}

export interface ToolSuccess<O = unknown> {
  readonly ok: true
  readonly data: O
  readonly intents: readonly Intent[]
  readonly meta: ResponseMeta
}

/** Why a call failed, for a model to read and a program to act on. */
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

/** What every call answers with, whatever its handler did. */
export type ToolResponse<O = unknown> = ToolSuccess<O> | ToolFailure

/** The error part of an envelope, with the traits its type brings. */
export function responseError(
  type: ErrorType,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ResponseError {
  return { type, message, ...ERROR_TRAITS[type], details }
}

/** An envelope as a handler fills it in; the pipeline adds the facts about the call. */
export type HandlerOutcome<O = unknown> = HandlerSuccess<O> | HandlerFailure

export interface HandlerSuccess<O = unknown> {
  readonly ok: true
  readonly data: O
  readonly intents?: readonly Intent[]
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface HandlerFailure {
  readonly ok: false
  readonly error: Pick<ResponseError, 'type' | 'message'> & Partial<ResponseError>
  readonly meta?: Readonly<Record<string, unknown>>
}

/** Answer with data and, beside it, intents for the orchestrator. Without those, return the data. */
export function succeed<O>(
  data: O,
  beside: Pick<HandlerSuccess, 'intents' | 'meta'> = {},
): HandlerSuccess<O> {
  return { ok: true, data, ...beside }
}

/** Answer with a failure without throwing; what the type implies can be overruled. */
export function fail(
  type: ErrorType,
  message: string,
  options: Partial<ErrorTraits> & Partial<Pick<ResponseError, 'details'>> = {},
): HandlerFailure {
  return { ok: false, error: { type, message, ...ERROR_TRAITS[type], details: {}, ...options } }
}

const SUCCESS_MEMBERS: readonly string[] = ['ok', 'data', 'intents', 'meta']

const FAILURE_MEMBERS: readonly string[] = ['ok', 'error', 'meta']

const MOMENTS: Readonly<Record<IntentMoment, true>> = {
  now: true,
  'after-turn': true,
  'next-turn': true,
}

/**
 * Tell an envelope from plain data that merely has a member `ok`.
 *
 * An envelope has no members but its own, so `{ ok: true, count: 3 }` is data. The type of an
 * error may be one we do not know; it is still a failure. Give it a plain copy of what the
 * handler returned: getters and proxies of the original may throw.
 */
export function isToolResponse(value: unknown): value is HandlerOutcome {
  if (!isObject(value)) return false
  const has = (names: readonly string[]) => Object.keys(value).every((name) => names.includes(name))
  if (value['ok'] === true) {
    const { intents, meta } = value
    return (
      Object.hasOwn(value, 'data') &&
      has(SUCCESS_MEMBERS) &&
      (intents === undefined || (Array.isArray(intents) && intents.every(isIntent))) &&
      (meta === undefined || isObject(meta))
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

function isIntent(value: unknown): value is Intent {
  return (
    isObject(value) &&
    typeof value['type'] === 'string' &&
    typeof value['when'] === 'string' &&
    Object.hasOwn(MOMENTS, value['when'])
  )
}
