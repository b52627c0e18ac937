import type { BackgroundResult } from '../../engine/model/call-event.ts'
import type { CallTokens } from '../../engine/model/step-cost.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { RESPONSE_VERSION, type ToolResponse } from '../../tools/response/tool-response.ts'
import { callFailure, endNotRecorded } from './call-failure.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import { endLifetimes } from './end-lifetimes.ts'
import { extractEntities } from './extract-entities.ts'
import { checkIntents } from './intents/check-intents.ts'
import { type CallEnd, type StartedCall, startedCallId } from './run-call.ts'
import type { Outcome } from '../commands/outcome.ts'
import { runAsync } from '../log/maybe-async.ts'

/** Logs how a call ended, then deactivates the skills whose lifetime is over. Never rejects. */
export async function endCall(
  started: StartedCall,
  outcome: CallEnd,
  parts: CallPipelineParts,
): Promise<ToolResponse> {
  const { dispatcher, limits, intents: known, inFlight, callCounter, context } = parts
  const { tool: called, cause, inBackground, targetMs } = started
  const { name: tool } = called
  const call = startedCallId(started)
  const durationMs = Math.round(outcome.durationMs)
  const error = outcome.ok ? null : outcome.error.type
  const returned = outcome.ok ? outcome.intents : []
  const { intents, dropped } = await checkIntents(returned, known, limits.timeoutMs)
  const output = outcome.ok ? outcome.data : outcome.error.message
  const extracted = outcome.ok ? extractEntities(called, outcome.data) : undefined
  const attempts = outcome.attempts > 1 ? { attempts: outcome.attempts } : {}
  const command = {
    type: 'call.end' as const,
    call,
    tool,
    ok: outcome.ok,
    error,
    durationMs,
    intents,
    dropped,
    ...attempts,
    ...(targetMs !== null && durationMs > targetMs && { missedTargetMs: targetMs }),
    ...(callCounter && { tokens: callTokens(callCounter, { input: started.given, output }) }),
    ...(inBackground && {
      result: backgroundResult(outcome, limits.keptBytes, context.redactor),
    }),
    ...(extracted && { extracted }),
  }
  let ended: Outcome
  try {
    ended = await dispatcher.dispatch(command, cause, { callOf: tool })
  } catch (problem) {
    inFlight.keepEnd({ command, cause })
    return callFailure({ tool, call, durationMs }, endNotRecorded(tool, outcome, problem))
  }
  await runAsync(endLifetimes(parts))
  const own = { version: RESPONSE_VERSION, tool, call, durationMs, seq: ended.seq } as const
  const meta = { ...outcome.meta, ...own, ...attempts }
  return outcome.ok
    ? { ok: true, data: outcome.data, intents, meta }
    : { ok: false, error: outcome.error, meta }
}

/** The part of a background result that the log keeps. */
function backgroundResult(
  outcome: CallEnd,
  maxBytes: number,
  redactor?: Redactor,
): BackgroundResult {
  if (!outcome.ok) return { ok: false, message: outcome.error.message }
  // Redacted before it is cut: half of a secret would not be recognised.
  const data = redactor?.value(outcome.data) ?? outcome.data
  const bytes = Buffer.from(JSON.stringify(data))
  if (bytes.length <= maxBytes) return { ok: true, data }
  // A decoder in stream mode leaves out a character that was cut in two.
  const head = new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true })
  return { ok: true, data: head, cutFrom: bytes.length }
}

/** Characters of a text that are counted; the rest is estimated from them. */
const MAX_COUNTED_LENGTH = 20_000

/**
 * Counts the tokens of a call as a model writes and reads it: its arguments, and its data or error message,
 * as JSON unless they are text.
 */
export function callTokens(
  counter: TokenCounter,
  { input, output }: { readonly input: unknown; readonly output: unknown },
): CallTokens {
  return { arguments: tokensOf(textOf(input), counter), result: tokensOf(textOf(output), counter) }
}

/** Both are JSON: the arguments were checked before the call, the result after it. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function tokensOf(text: string, counter: TokenCounter): number {
  const head = text.slice(0, MAX_COUNTED_LENGTH)
  return Math.round(counter.count(head) * (text.length / Math.max(1, head.length)))
}
