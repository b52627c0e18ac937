import type { BackgroundResult } from '../../engine/model/background-event.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import { RESPONSE_VERSION, type ToolResponse } from '../../tools/response/tool-response.ts'
import { callFailure, endNotRecorded } from './call-failure.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import { endLifetimes } from './end-lifetimes.ts'
import { checkIntents } from './intents/check-intents.ts'
import { extractEntities } from './extract-entities.ts'
import { callTokens } from './call-tokens.ts'
import type { Outcome } from '../commands/outcome.ts'
import type { CallEnd } from './run-call.ts'
import { idOf, type StartedCall } from './started-call.ts'

/** Log how a call ended, then put away the skills whose lifetime is over. Never rejects. */
export async function endCall(
  started: StartedCall,
  outcome: CallEnd,
  parts: CallPipelineParts,
): Promise<ToolResponse> {
  const { dispatcher, limits, intents: known, inFlight, counter, surroundings } = parts
  const { tool: called, cause, inBackground } = started
  const { name: tool } = called
  const call = idOf(started)
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
    ...(counter && { tokens: callTokens(counter, { input: started.given, output }) }),
    ...(inBackground && { result: kept(outcome, limits.keptBytes, surroundings.redactor) }),
    ...(extracted && { extracted }),
  }
  let ended: Outcome
  try {
    ended = await dispatcher.dispatch(command, cause)
  } catch (problem) {
    inFlight.owe({ command, cause })
    return callFailure({ tool, call, durationMs }, endNotRecorded(tool, outcome, problem))
  }
  await endLifetimes(parts)
  const own = { version: RESPONSE_VERSION, tool, call, durationMs, seq: ended.seq } as const
  const meta = { ...outcome.meta, ...own, ...attempts }
  return outcome.ok
    ? { ok: true, data: outcome.data, intents, meta }
    : { ok: false, error: outcome.error, meta }
}

/** What the log keeps of a result that nobody waited for. */
function kept(outcome: CallEnd, maxBytes: number, redactor?: Redactor): BackgroundResult {
  if (!outcome.ok) return { ok: false, message: outcome.error.message }
  // Before it is cut: half of a secret is not told from other text.
  const data = redactor?.value(outcome.data) ?? outcome.data
  const bytes = Buffer.from(JSON.stringify(data))
  if (bytes.length <= maxBytes) return { ok: true, data }
  // A character that was cut in two is left out.
  const head = new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true })
  return { ok: true, data: head, cutFrom: bytes.length }
}
