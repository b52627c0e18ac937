import { retriesOf, retryDelay } from './call-retry.ts'
import { callScope } from './call-scope.ts'
import { runHandler, type HandlerEnd } from './handlers/run-handler.ts'
import { handlerContext } from './handler-context.ts'
import { pause } from '../commands/pause.ts'
import type { RunParts } from './run-parts.ts'
import { idOf, type StartedCall } from './started-call.ts'

/** How a call ended, and how often its handler ran. */
export type CallEnd = HandlerEnd & { readonly attempts: number }

/** Why a call within another one was aborted. */
class OuterCallEnded extends Error {
  override readonly name = 'OuterCallEnded'
}

/**
 * Run the handler of a call that is started, and again, after a while, when it failed in a way that
 * may pass and its tool is safe to repeat. All of it within the time limit of the call: a delay
 * that would pass it is not begun. Never rejects.
 */
export async function runCall(started: StartedCall, parts: RunParts): Promise<CallEnd> {
  const { tool, signal, limitMs } = started
  const { clock, limits, randomness } = parts
  const retries = retriesOf(tool, limits)
  const began = clock.monotonic()
  const elapsed = () => Math.max(0, clock.monotonic() - began)
  for (let attempt = 1; ; attempt += 1) {
    const ran = signal.aborted ? attempt - 1 : attempt
    const end = await runAttempt(started, attempt, Math.max(0, limitMs - elapsed()), parts)
    const ended: CallEnd = { ...end, attempts: Math.max(1, ran) }
    const whole = attempt === 1 ? ended : { ...ended, durationMs: elapsed() }
    if (end.ok || !end.error.retryable || attempt > retries) return whole
    const delayMs = retryDelay(end.error, attempt, randomness)
    if (delayMs >= limitMs - elapsed()) return whole
    await pause(delayMs, signal)
  }
}

/** What one attempt calls is within it: it is aborted when the attempt is over. */
async function runAttempt(
  { request, tool, owner: { source, owner }, input, cause, chain, signal, limitMs }: StartedCall,
  attempt: number,
  leftMs: number,
  parts: RunParts,
): Promise<HandlerEnd> {
  const { limits, clock, inFlight, session, onOutput } = parts
  const call = idOf({ chain })
  const over = new AbortController()
  const context = handlerContext(parts, {
    call: { id: call, tool: tool.name, owner, session, caller: request.caller },
    component: source === 'component' ? owner : null,
    cause,
    chain,
    over: over.signal,
  })
  try {
    return await callScope.run(chain, () =>
      runHandler({
        tool,
        input,
        context,
        signal,
        timeoutMs: limitMs,
        leftMs,
        maxBytes: limits.maxBytes,
        stream: limits.stream,
        onOutput: (output, index) =>
          onOutput({ call, tool: tool.name, output, index, attempt }, request.onOutput),
        monotonic: () => clock.monotonic(),
        onLate: () => inFlight.noteLate(),
      }),
    )
  } finally {
    over.abort(new OuterCallEnded(`The call of "${tool.name}" that made this one has ended.`))
  }
}
