import { ERROR_TRAITS, type ErrorType } from './error-type.ts'
import type { Intent } from '../intents/intent.ts'

/** The version of the envelope below. */
export const RESPONSE_VERSION = '1.0.0'

/** Facts about one call, on success and failure alike. */
export interface ResponseMeta {
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
