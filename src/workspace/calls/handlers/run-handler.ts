import { byteLength } from '../../../kernel/byte-length.ts'
import { isObject, type JsonValue } from '../../../kernel/json-value.ts'
import type { Redactor } from '../../../kernel/redactor.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { ErrorType, ToolError } from '../../../tools/response/error-type.ts'
import { type ResponseError, responseError } from '../../../tools/response/tool-response.ts'
import type { ValueIssue } from '../../../schema/interpreter/schema-source.ts'
import { cutJson, cutResult } from './cut-result.ts'
import { followStream, type StreamLimits } from './follow-stream.ts'
import {
  type HandlerAnswer,
  handlerAnswer,
  plainResult,
  restoreMissingData,
} from './handler-answer.ts'
import { type JsonRefusal, jsonResult, type JsonResult } from './json-result.ts'
import { bytesWithoutData } from './plain-content.ts'
import { internalError, toolErrorOf } from './internal-error.ts'
import { ignoreRejections, settle } from './settle.ts'
import { thrownMessage, tryOrUndefined } from '../../../kernel/thrown-message.ts'
import { LONGEST_TIMER_MS } from '../../commands/with-time-limit.ts'

/** One run of a handler: its input, its context and its limits. */
interface HandlerRequest {
  readonly tool: Tool
  /** Already validated by `tool.parseInput`. */
  readonly input: unknown
  /** Makes the context of the handler, with the signal that ends it. */
  context(signal: AbortSignal): ToolContext
  /** Aborted when the call must end: its skill is deactivated, the workspace closes, or the caller aborts. */
  readonly signal: AbortSignal
  /** For the handler and the check of its output together, in milliseconds. */
  readonly timeoutMs: number
  /** The part of `timeoutMs` that earlier attempts left; all of it when absent. */
  readonly leftMs?: number
  /** Limit of the result, in bytes of JSON text. */
  readonly maxBytes: number
  /** Limit of the data in the parts of the result, in bytes. */
  readonly contentBytes: number
  /** The treatment of a result over these limits. */
  readonly oversized: 'cut' | 'fail'
  readonly stream: StreamLimits
  /** Gets the values that a streaming handler yields; see `StreamFollower`. */
  onOutput?(output: JsonValue, index: number): void | Promise<void>
  /** Hides secrets in the message of an exception; one by default rules when absent. */
  readonly redactor?: Redactor | undefined
  /** Returns a result as its caller may read it, before it is cut; unchanged when absent. */
  shown?(answer: HandlerAnswer): HandlerAnswer
  /** Gets what the handler threw, unless it is a `ToolError`. Must not throw. */
  onUnexpected?(thrown: unknown): void
  /** Gets the functions that stop the time limit while a person is asked, and start it again at progress. */
  onTimer?(timer: CallTimer): void
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number
  /** Called when a handler ends after its call was over; its result is dropped. Must not throw. */
  onLate?(end: LateEnd): void
}

/** The time limit of a running handler. */
export interface CallTimer {
  /** Stops it; returns the function that lets it go on. */
  pause(): () => void
  /** Starts it again, where the tool has its time renewed by progress, up to the most that it may have. */
  renew(): void
}

/** The timer of one run: it counts the time without pauses. */
class HandlerTimer implements CallTimer {
  readonly #request: HandlerRequest
  readonly #onTime: () => void
  #timer: NodeJS.Timeout | undefined
  #left: number
  /** The time before `#since`. */
  #spent = 0
  #since: number
  #pauses = 0
  #isOver = false

  constructor(request: HandlerRequest, started: number, leftMs: number, onTime: () => void) {
    this.#request = request
    this.#onTime = onTime
    this.#left = leftMs
    this.#since = started
    this.#start(started)
  }

  /** True when progress would have given the run more time. */
  get isRenewable(): boolean {
    return this.#spent + this.#left < (this.#request.tool.renewOnProgress?.upToMs ?? 0)
  }

  pause(): () => void {
    if (this.#pauses === 0) this.#stop()
    this.#pauses += 1
    return () => {
      this.#pauses -= 1
      if (this.#pauses === 0 && !this.#isOver) this.#start()
    }
  }

  renew(): void {
    const { tool, timeoutMs } = this.#request
    if (tool.renewOnProgress === undefined || this.#isOver || this.#pauses > 0) return
    this.#stop()
    this.#left = Math.max(0, Math.min(timeoutMs, tool.renewOnProgress.upToMs - this.#spent))
    this.#start()
  }

  end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  #start(now = this.#request.monotonic()): void {
    this.#since = now
    if (this.#left === Infinity) return
    this.#timer = setTimeout(this.#onTime, Math.min(this.#left, LONGEST_TIMER_MS))
  }

  #stop(): void {
    clearTimeout(this.#timer)
    const ran = this.#request.monotonic() - this.#since
    this.#left = Math.max(0, this.#left - ran)
    this.#spent += ran
  }
}

/** The end of a late handler: it returned, or it threw, as a handler that respects its signal does. */
export type LateEnd = 'returned' | 'threw'

/** The end of a handler's run, as plain data. */
export type HandlerEnd = HandlerAnswer & {
  /** Milliseconds from the start to the answer; 0 when the handler never ran. */
  readonly durationMs: number
}

/**
 * Runs a tool's handler, isolated: the caller gets an answer, whatever the handler does.
 *
 * Never throws or rejects, answers at the time limit or the abort without waiting for the
 * handler, and leaves no timer, listener or unhandled rejection behind.
 *
 * Not covered: a handler that blocks the event loop cannot be stopped, since no timer runs (its answer
 * counts, however late). An error that it throws outside its own promise, in a timer or in a listener of the
 * signal, reaches the process.
 */
export function runHandler(request: HandlerRequest): Promise<HandlerEnd> {
  const { tool, context, signal, timeoutMs, leftMs = timeoutMs } = request
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
      timer.end()
      signal.removeEventListener('abort', onAbort)
      resolve({ ...given, durationMs: elapsedMs(request, started) })
    }
    // Answer first: an abort listener of the handler may settle its promise at once.
    const giveUp = (error: ResponseError, reason: unknown): void => {
      answer({ ok: false, error })
      inner.abort(reason)
    }
    const onAbort = (): void => giveUp(abortedError(signal.reason), signal.reason)
    const { renewOnProgress } = tool
    const onTime = (): void => {
      const message = timer.isRenewable
        ? `The tool did not finish or report progress within ${timeoutMs} ms.`
        : `The tool did not finish within ${renewOnProgress?.upToMs ?? timeoutMs} ms.`
      giveUp(
        responseError(ErrorType.TIMEOUT, message, { timeoutMs }),
        new DOMException(message, 'TimeoutError'),
      )
    }
    signal.addEventListener('abort', onAbort)
    const timer = new HandlerTimer(request, started, leftMs, onTime)
    request.onTimer?.(timer)
    void handlerResult(request, context(inner.signal)).then(({ answer: given, end }) => {
      if (open) answer(given)
      else request.onLate?.(end)
    })
  })
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
 * Runs a handler and turns its outcome into a checked answer. Never rejects. Never settles when the
 * handler or its output check never does. After `context.signal` is aborted no caller reads the answer, so
 * a late result is not checked.
 */
async function handlerResult(
  request: HandlerRequest,
  context: ToolContext,
): Promise<HandlerResult> {
  const { tool, input, maxBytes, contentBytes, oversized } = request
  const { stream, onOutput, redactor, onUnexpected } = request
  // Other runtimes take any result, and a call must not fail after it ran because of one.
  const isLenient = tool.aiSdk !== undefined || tool.isForeign === true
  const returned = await settle(() => {
    if (tool.execute === undefined) {
      throw new ToolError(ErrorType.UNBOUND, `The tool "${tool.name}" has no handler here.`)
    }
    return tool.execute(input, context)
  })
  const settled =
    returned.kind === 'returned' && isStream(returned.value)
      ? await followStream(returned.value, {
          signal: context.signal,
          limits: stream,
          maxBytes,
          contentBytes,
          oversized,
          isLenient,
          redactor,
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
    const { thrown } = settled
    const meant = toolErrorOf(thrown)
    if (meant === undefined && !context.signal.aborted) onUnexpected?.(thrown)
    const keeps = tool.isForeign === true ? 'message' : tool.aiSdk && 'name and message'
    const error = meant ?? internalError(thrown, redactor, keeps)
    return { answer: { ok: false, error }, end: 'threw' }
  }
  const end = 'returned'
  if (context.signal.aborted) {
    ignoreRejections(settled.value)
    return { answer: { ok: true, data: null, intents: [] }, end }
  }
  // A result that may be cut is read whole first, as far as memory allows.
  const cutsParts = oversized === 'cut'
  const readBytes = cutsParts ? Math.max(maxBytes, contentBytes) : maxBytes
  const limits = { maxBytes: readBytes, contentBytes, cutsParts, isLenient, redactor }
  const plain = plainResult(settled.value, limits)
  if (!plain.ok) {
    ignoreRejections(settled.value)
    if (plain.isTooLarge && cutsParts) {
      const cut = { bytes: readBytes, whole: null }
      return { answer: { ok: true, data: null, intents: [], cut }, end }
    }
    return { answer: { ok: false, error: notJsonError(plain, maxBytes) }, end }
  }
  const answer = withWarnings(
    handlerAnswer(restoreMissingData(plain.value, settled.value)),
    plain.nulls,
  )
  const checked = answer.ok ? await checkOutput(tool, answer, readBytes) : answer
  const shown = request.shown?.(checked) ?? checked
  if (!shown.ok) return { answer: answer.ok ? shown : fitFailure(shown, maxBytes), end }
  const isShort = plain.bytes <= maxBytes && shown === answer
  return { answer: isShort ? shown : fitResult(shown, maxBytes), end }
}

/** Cuts a result that is too long. Its length is that of its data and its parts. */
function fitResult(
  answer: Extract<HandlerAnswer, { ok: true }>,
  maxBytes: number,
): Extract<HandlerAnswer, { ok: true }> {
  const ofParts = answer.content === undefined ? 0 : bytesWithoutData(answer.content)
  const json = JSON.stringify(answer.data)
  const bytes = byteLength(json) + ofParts
  return bytes > maxBytes ? cutResult(answer, { json, bytes }, maxBytes) : answer
}

/** Cuts the details of a failure that is too long. */
function fitFailure(
  answer: Extract<HandlerAnswer, { ok: false }>,
  maxBytes: number,
): HandlerAnswer {
  const details = cutJson(answer.error.details as JsonValue, maxBytes)
  return { ...answer, error: { ...answer.error, details: isObject(details) ? details : {} } }
}

/** Adds a warning to the facts about a call, for values in lists that JSON cannot carry. */
function withWarnings(
  answer: HandlerAnswer,
  nulls: Extract<JsonResult, { ok: true }>['nulls'],
): HandlerAnswer {
  if (nulls === undefined) return answer
  const { count, path } = nulls
  const where = count === 1 ? `at ${path}` : `at ${path} and ${count - 1} more places`
  const warning = `The result holds undefined in a list, ${where}. JSON has no undefined, so it is null there.`
  return { ...answer, meta: { ...answer.meta, warnings: [warning] } }
}

/** True when a handler returned a stream rather than data. Runs the getters of the returned value. */
function isStream(value: unknown): value is AsyncIterable<unknown> {
  if (typeof value !== 'object' || value === null) return false
  return (
    tryOrUndefined(() => typeof Reflect.get(value, Symbol.asyncIterator) === 'function') ?? false
  )
}

/** Checks the data with the tool's output schema, whose transforms may change it. */
async function checkOutput(
  tool: Tool,
  answer: Extract<HandlerAnswer, { ok: true }>,
  maxBytes: number,
): Promise<HandlerAnswer> {
  if (tool.parseOutput === undefined) return answer
  try {
    const parsed = await tool.parseOutput(answer.data)
    if (!parsed.ok) return { ok: false, error: outputMismatch(parsed.issues) }
    const bytes = answer.content === undefined ? 0 : bytesWithoutData(answer.content)
    const plain = jsonResult(parsed.value, { maxBytes, bytes })
    return plain.ok
      ? withWarnings({ ...answer, data: plain.value }, plain.nulls)
      : { ok: false, error: notJsonError(plain, maxBytes) }
  } catch (thrown) {
    const message = `Checking the result threw: ${thrownMessage(thrown)}`
    return { ok: false, error: responseError(ErrorType.BAD_OUTPUT, message) }
  }
}

function outputMismatch(issues: readonly ValueIssue[]): ResponseError {
  const [first] = issues
  const where = first === undefined ? '' : `: ${first.path || 'it'} ${first.message}`
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
