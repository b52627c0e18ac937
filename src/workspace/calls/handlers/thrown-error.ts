import type { JsonValue } from '../../../kernel/json.ts'
import { ErrorType } from '../../../tools/response/error-type.ts'
import { ToolError } from '../../../tools/response/tool-error.ts'
import { type ResponseError, responseError } from '../../../tools/response/tool-response.ts'
import { attempt } from '../../commands/attempt.ts'
import { isErrorType } from './is-error-type.ts'
import { jsonResult } from './json-result.ts'
import { thrownMessage } from '../../commands/thrown-message.ts'

/** Bytes of JSON one detail may take. */
const DETAIL_BYTES = 16_384
/** Details that are kept. */
const DETAIL_COUNT = 50

/**
 * The error part of an envelope for whatever a handler threw: a `ToolError` keeps its type,
 * traits and details (those JSON can carry), anything else is `INTERNAL`. Never throws.
 */
export function thrownError(thrown: unknown): ResponseError {
  return (
    attempt(() => toolError(thrown)) ??
    responseError(
      ErrorType.INTERNAL,
      `The handler threw: ${thrownMessage(thrown)}`,
      attempt(() => labels(thrown)) ?? {},
    )
  )
}

function toolError(thrown: unknown): ResponseError | undefined {
  if (!ToolError.is(thrown)) return undefined
  const { type, retryable, partialSideEffects, details } = thrown
  if (!isErrorType(type)) return undefined
  const usual = responseError(type, thrownMessage(thrown), detailsOf(details))
  return {
    ...usual,
    ...(typeof retryable === 'boolean' && { retryable }),
    ...(typeof partialSideEffects === 'boolean' && { partialSideEffects }),
  }
}

/** Each detail on its own, so that one that JSON cannot carry does not take the others with it. */
function detailsOf(details: unknown): Readonly<Record<string, JsonValue>> {
  if (typeof details !== 'object' || details === null) return {}
  const kept = Object.keys(details)
    .slice(0, DETAIL_COUNT)
    .map((key): [string, JsonValue] => {
      const value: unknown = attempt(() => Reflect.get(details, key))
      const result = jsonResult(value, { maxBytes: DETAIL_BYTES })
      return [key, result.ok ? result.value : `(left out: it ${result.message})`]
    })
  return Object.fromEntries(kept)
}

/** The name and code by which programs tell errors apart. */
function labels(thrown: unknown): Readonly<Record<string, string>> {
  if (typeof thrown !== 'object' || thrown === null) return {}
  const found = ['name', 'code'].flatMap((key): [string, string][] => {
    const value: unknown = attempt(() => Reflect.get(thrown, key))
    return typeof value === 'string' && value.length <= 100 ? [[key, value]] : []
  })
  return Object.fromEntries(found)
}
