import type { ContentHash } from '../../../kernel/content-hash.ts'
import { isObject, type JsonValue } from '../../../kernel/json-value.ts'
import type { ContentPart } from '../../../tools/response/content-part.ts'
import { ErrorType } from '../../../tools/response/error-type.ts'
import {
  type HandlerFailure,
  type HandlerSuccess,
  isToolResponse,
  type ResponseError,
  responseError,
} from '../../../tools/response/tool-response.ts'
import type { ValueIssue } from '../../../schema/interpreter/schema-source.ts'
import { type JsonLimits, type JsonResult, jsonResult } from './json-result.ts'
import { plainContent, type ResultLimits } from './plain-content.ts'
import { shorten, tryOrUndefined } from '../../../kernel/thrown-message.ts'

/** A result that was longer than a result may be. */
export interface CutResult {
  /** Its bytes of JSON; with `whole` null, it has more. */
  readonly bytes: number
  /** All of it, as text; null for a result that was too large to be read. */
  readonly whole: string | null
  /** The digest of `whole`, if the host stored it. */
  readonly digest?: ContentHash
  /** The characters that the model reads, and those that it could; absent where only `maxBytes` cut it. */
  readonly shown?: number
  readonly length?: number
}

/** A handler's answer as plain data, before its output is validated. */
export type HandlerAnswer =
  /** Returned intents, not checked yet. */
  (
    | {
        readonly ok: true
        readonly data: JsonValue
        /** Checked already. */
        readonly content?: readonly ContentPart[]
        readonly intents: readonly JsonValue[]
        /** Present when the result was longer than a result may be. */
        readonly cut?: CutResult
      }
    | { readonly ok: false; readonly error: ResponseError }
  ) & {
    /** Facts a handler put into its envelope. The pipeline's own facts override them. */
    readonly meta?: Readonly<Record<string, unknown>>
  }

type JsonObject = { readonly [key: string]: JsonValue }

const MEMBERS: ReadonlySet<string> = new Set(['ok', 'data', 'error', 'content', 'intents', 'meta'])

/**
 * Distinguishes an envelope from plain data, and reads it.
 *
 * A failure without a message is refused: as data, the mistake would reach the model. Any other value is
 * data.
 */
export function handlerAnswer(value: JsonValue): HandlerAnswer {
  if (isToolResponse(value)) return value.ok ? success(value) : failure(value)
  if (!isObject(value) || !lacksMessage(value)) return { ok: true, data: value, intents: [] }
  const issue: ValueIssue = { path: '/error/message', message: 'must be text' }
  const message = `The handler's envelope is malformed: ${issue.path} ${issue.message}.`
  return { ok: false, error: responseError(ErrorType.BAD_OUTPUT, message, { issues: [issue] }) }
}

function success({ data, content, intents = [], meta }: HandlerSuccess): HandlerAnswer {
  const returned = (Array.isArray(intents) ? intents : [intents]) as readonly JsonValue[]
  return {
    ok: true,
    data: data as JsonValue,
    ...(content && { content: content as readonly ContentPart[] }),
    intents: returned,
    ...(meta && { meta }),
  }
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

/** True for a value that was meant to be the envelope of a failure, and has no message. */
function lacksMessage(value: JsonObject): boolean {
  const { ok, error } = value
  return (
    ok === false &&
    Object.keys(value).every((key) => MEMBERS.has(key)) &&
    isObject(error) &&
    isErrorType(error['type']) &&
    typeof error['message'] !== 'string'
  )
}

/**
 * Copies a returned value as JSON, with the parts of an envelope in their final form. An intent that JSON
 * cannot carry becomes null, so that it is dropped alone.
 */
export function plainResult(value: unknown, limits: ResultLimits): JsonResult {
  const split = splitContent(value)
  if (split === undefined) return plainEnvelope(value, limits)
  // The model reads the parts.
  const { isLenient = false } = limits
  const whole = plainEnvelope(split.rest, { ...limits, describesBinary: true })
  const isDropped = isLenient && !whole.ok && whole.isTooLarge !== true
  const plain = isDropped ? plainEnvelope({ ok: true, data: null }, limits) : whole
  if (!plain.ok) return plain
  const content = plainContent(split.content, { ...limits, bytes: plain.bytes })
  if (!content.ok) return content
  const { parts, bytes } = content
  // Without parts, the data is what the model reads.
  const read = parts.length === 0 ? {} : { content: parts }
  return { ...plain, value: { ...(plain.value as JsonObject), ...read }, bytes }
}

/** A returned envelope without its parts, which JSON cannot carry, and the parts. */
interface SplitEnvelope {
  readonly rest: unknown
  readonly content: unknown
}

/** Takes the parts out of a returned envelope. Undefined for an envelope without parts, and for data. */
function splitContent(value: unknown): SplitEnvelope | undefined {
  return tryOrUndefined(() => {
    if (!isObject(value) || !Object.hasOwn(value, 'content')) return undefined
    const { content, ...rest } = value as Readonly<Record<string, unknown>>
    if (content === undefined || !Object.hasOwn(rest, 'data')) return undefined
    return isToolResponse(rest) && rest.ok ? { rest, content } : undefined
  })
}

function plainEnvelope(value: unknown, limits: JsonLimits): JsonResult {
  const plain = jsonResult(value, limits)
  if (plain.ok || !plain.path.startsWith('/intents/')) return plain
  const again = tryOrUndefined(() => {
    const { intents, ...rest } = value as { readonly intents: Iterable<unknown> }
    const fit = Array.from(intents, (one) => jsonResult(one, limits))
    return jsonResult({ ...rest, intents: fit.map((one) => (one.ok ? one.value : null)) }, limits)
  })
  return again?.ok === true && isToolResponse(again.value) ? again : plain
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
