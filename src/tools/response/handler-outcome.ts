import { ERROR_TRAITS, type ErrorTraits, type ErrorType } from './error-type.ts'
import type { Intent } from '../intents/intent.ts'
import type { ResponseError } from './tool-response.ts'

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
