import type { JsonValue } from '../../../kernel/json-value.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { ErrorType, ToolError } from '../../../tools/response/error-type.ts'
import { type ResponseError, responseError } from '../../../tools/response/tool-response.ts'
import type { ValueIssue } from '../../../tools/schema/schema-source.ts'
import { followStream, isStream, type StreamLimits } from './follow-stream.ts'
import {
  type HandlerAnswer,
  handlerAnswer,
  isErrorType,
  restoreMissingData,
} from './handler-answer.ts'
import { type JsonRefusal, jsonResult } from './json-result.ts'
import { ignoreRejections, settle } from './settle.ts'
import { thrownMessage, tryOrUndefined } from '../../commands/thrown-message.ts'
import { LONGEST_TIMER_MS } from '../../commands/with-time-limit.ts'

/** One call of a handler: everything it gets and the limits it runs under. */
interface HandlerRequest {
  readonly tool: Tool
  /** Already validated by `tool.parseInput`. */
  readonly input: unknown
  /** Getters in it (`state`) stay getters. */
  readonly context: Omit<ToolContext, 'signal'>
  /** Why the call may end from outside: its skill leaves, the workspace closes, the caller gives up. */
  readonly signal: AbortSignal
  /** For the handler and the check of its output together, in milliseconds. */
  readonly timeoutMs: number
  /** What earlier attempts left of that; all of it when absent. */
  readonly leftMs?: number
  /** Limit of the result, in bytes of JSON text. */
  readonly maxBytes: number
  readonly stream: StreamLimits
  /** Gets what a handler that streams yields; see `StreamFollower`. */
  onOutput?(output: JsonValue, index: number): void | Promise<void>
  /** Milliseconds that never go back. */
  monotonic(): number
  /** Told when a handler ends after it was given up on; what it gave is dropped. Must not throw. */
  onLate?(end: LateEnd): void
}

/** A handler that was given up on returned after all, or threw, as one that heeds its signal does. */
export type LateEnd = 'returned' | 'threw'

/** How a call of a handler ended, as plain data. */
export type HandlerEnd = HandlerAnswer & {
  /** Milliseconds from the start to the answer; 0 when the handler never ran. */
  readonly durationMs: number
}

/**
 * Run a tool's handler so that nothing it does gets out but an answer.
 *
 * Never throws or rejects, answers at the time limit or the abort without waiting for the
 * handler, and leaves no timer, listener or unhandled rejection behind.
 *
 * Out of reach: a handler that blocks the event loop cannot be stopped, since no timer runs
 * (its answer counts however late), and what it throws outside its own promise, in a timer
 * or in a listener of the signal, is the process's to handle.
 */
export function runHandler(request: HandlerRequest): Promise<HandlerEnd> {
  const { context, signal, timeoutMs, leftMs = timeoutMs } = request
  if (signal.aborted) {
    const error = { ...abortedError(signal.reason), partialSideEffects: false }
    return Promise.resolve({ ok: false, error, durationMs: 0 })
  }
  const started = request.monotonic()
  const inner = new AbortController()
  return new Promise((resolve) => {
    let open = true
    const answer = (given: HandlerAnswer): void => {
      open = false
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      resolve({ ...given, durationMs: elapsedMs(request, started) })
    }
    // The answer comes first: an abort listener of the handler may settle it on the spot.
    const giveUp = (error: ResponseError, reason: unknown): void => {
      answer({ ok: false, error })
      inner.abort(reason)
    }
    const onAbort = (): void => giveUp(abortedError(signal.reason), signal.reason)
    const onTime = (): void => {
      const message = `The tool did not finish within ${timeoutMs} ms.`
      giveUp(
        responseError(ErrorType.TIMEOUT, message, { timeoutMs }),
        new DOMException(message, 'TimeoutError'),
      )
    }
    signal.addEventListener('abort', onAbort)
    const timer = setTimeout(onTime, Math.min(leftMs, LONGEST_TIMER_MS))
    void handlerResult(request, withSignal(context, inner.signal)).then(
      ({ answer: given, end }) => {
        if (open) answer(given)
        else request.onLate?.(end)
      },
    )
  })
}

/** By descriptors, since a spread would read the state once and for all. */
function withSignal(context: Omit<ToolContext, 'signal'>, signal: AbortSignal): ToolContext {
  return Object.create(Object.getPrototypeOf(context) as object, {
    ...Object.getOwnPropertyDescriptors(context),
    signal: { value: signal, enumerable: true },
  }) as ToolContext
}

function abortedError(reason: unknown): ResponseError {
  return responseError(ErrorType.ABORTED, `The call was aborted: ${thrownMessage(reason)}`)
}

/** In milliseconds, to the microsecond. */
function elapsedMs({ monotonic }: HandlerRequest, started: number): number {
  return Math.max(0, Math.round((monotonic() - started) * 1000) / 1000)
}

/** An answer, and how the handler itself ended. */
interface HandlerResult {
  readonly answer: HandlerAnswer
  readonly end: 'returned' | 'threw'
}

/**
 * Run a handler and turn what comes of it into a checked answer. Never rejects; never settles
 * when the handler or its output check never does. Once `context.signal` is aborted nobody
 * reads the answer, so a late result is not looked at any more.
 */
async function handlerResult(
  { tool, input, maxBytes, stream, onOutput }: HandlerRequest,
  context: ToolContext,
): Promise<HandlerResult> {
  const returned = await settle(() => {
    if (tool.run === undefined) {
      throw new ToolError(ErrorType.UNBOUND, `The tool "${tool.name}" has no handler here.`)
    }
    return tool.run(input, context)
  })
  const settled =
    returned.kind === 'returned' && isStream(returned.value)
      ? await followStream(returned.value, {
          signal: context.signal,
          limits: stream,
          maxBytes,
          onOutput: async (output, index) => onOutput?.(output, index),
        })
      : returned
  if (settled.kind === 'unfit') {
    return {
      answer: { ok: false, error: notJsonError(settled.refusal, maxBytes, 'handler') },
      end: 'returned',
    }
  }
  if (settled.kind === 'threw') {
    return { answer: { ok: false, error: thrownError(settled.thrown) }, end: 'threw' }
  }
  const end = 'returned'
  if (context.signal.aborted) {
    ignoreRejections(settled.value)
    return { answer: { ok: true, data: null, intents: [] }, end }
  }
  const plain = jsonResult(settled.value, { maxBytes })
  if (!plain.ok) {
    ignoreRejections(settled.value)
    return { answer: { ok: false, error: notJsonError(plain, maxBytes) }, end }
  }
  const answer = handlerAnswer(restoreMissingData(plain.value, settled.value))
  return { answer: answer.ok ? await checkOutput(tool, answer, maxBytes) : answer, end }
}

/** Hold the data against the tool's output schema, whose transforms may change it. */
async function checkOutput(
  tool: Tool,
  answer: Extract<HandlerAnswer, { ok: true }>,
  maxBytes: number,
): Promise<HandlerAnswer> {
  if (tool.parseOutput === undefined) return answer
  try {
    const parsed = await tool.parseOutput(answer.data)
    if (!parsed.ok) return { ok: false, error: outputMismatch(parsed.issues) }
    const plain = jsonResult(parsed.value, { maxBytes })
    return plain.ok
      ? { ...answer, data: plain.value }
      : { ok: false, error: notJsonError(plain, maxBytes) }
  } catch (thrown) {
    const message = `Checking the result threw: ${thrownMessage(thrown)}`
    return { ok: false, error: responseError(ErrorType.BAD_OUTPUT, message) }
  }
}

function outputMismatch(issues: readonly ValueIssue[]): ResponseError {
  const [first] = issues
  const where = first === undefined ? '' : `: ${first.path || 'the whole'} ${first.message}`
  return responseError(
    ErrorType.BAD_OUTPUT,
    `The result does not match the tool's output schema${where}.`,
    { issues },
  )
}

function notJsonError(
  { path, message, hint }: JsonRefusal,
  maxBytes: number,
  what = 'result',
): ResponseError {
  const where = path === '' ? '' : `, at ${path}`
  return responseError(ErrorType.BAD_OUTPUT, `The ${what} ${message}${where}. ${hint}`, {
    issues: [{ path, message }],
    maxBytes,
  })
}

/** Bytes of JSON one detail may take. */
const MAX_DETAIL_BYTES = 16_384

/** Details that are kept. */
const MAX_DETAILS = 50

/**
 * The error part of an envelope for whatever a handler threw: a `ToolError` keeps its type,
 * traits and details (those JSON can carry), anything else is `INTERNAL`. Never throws.
 */
function thrownError(thrown: unknown): ResponseError {
  return (
    tryOrUndefined(() => fromToolError(thrown)) ??
    responseError(
      ErrorType.INTERNAL,
      `The handler threw: ${thrownMessage(thrown)}`,
      tryOrUndefined(() => labels(thrown)) ?? {},
    )
  )
}

function fromToolError(thrown: unknown): ResponseError | undefined {
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
    .slice(0, MAX_DETAILS)
    .map((key): [string, JsonValue] => {
      const value: unknown = tryOrUndefined(() => Reflect.get(details, key))
      const result = jsonResult(value, { maxBytes: MAX_DETAIL_BYTES })
      return [key, result.ok ? result.value : `(left out: it ${result.message})`]
    })
  return Object.fromEntries(kept)
}

/** The name and code by which programs tell errors apart. */
function labels(thrown: unknown): Readonly<Record<string, string>> {
  if (typeof thrown !== 'object' || thrown === null) return {}
  const found = ['name', 'code'].flatMap((key): [string, string][] => {
    const value: unknown = tryOrUndefined(() => Reflect.get(thrown, key))
    return typeof value === 'string' && value.length <= 100 ? [[key, value]] : []
  })
  return Object.fromEntries(found)
}
