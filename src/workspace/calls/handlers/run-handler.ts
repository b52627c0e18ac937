import type { JsonValue } from '../../../kernel/json.ts'
import { ErrorType } from '../../../tools/response/error-type.ts'
import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import { type ResponseError, responseError } from '../../../tools/response/tool-response.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { StreamLimits } from './follow-stream.ts'
import type { HandlerAnswer } from './handler-answer.ts'
import { handlerResult } from './handler-result.ts'
import { LONGEST_TIMER_MS } from '../../commands/longest-timer.ts'
import { thrownMessage } from '../../commands/thrown-message.ts'

/** One call of a handler: everything it gets and the limits it runs under. */
export interface HandlerRequest {
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
    const error = { ...aborted(signal.reason), partialSideEffects: false }
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
      resolve({ ...given, durationMs: elapsed(request, started) })
    }
    // The answer comes first: an abort listener of the handler may settle it on the spot.
    const giveUp = (error: ResponseError, reason: unknown): void => {
      answer({ ok: false, error })
      inner.abort(reason)
    }
    const onAbort = (): void => giveUp(aborted(signal.reason), signal.reason)
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

function aborted(reason: unknown): ResponseError {
  return responseError(ErrorType.ABORTED, `The call was aborted: ${thrownMessage(reason)}`)
}

/** In milliseconds, to the microsecond. */
function elapsed({ monotonic }: HandlerRequest, started: number): number {
  return Math.max(0, Math.round((monotonic() - started) * 1000) / 1000)
}
