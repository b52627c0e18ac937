import type { OpenCall } from '../../engine/model/call-event.ts'
import { ErrorType } from '../../tools/response/error-type.ts'
import type { HistoryMessage, HistoryResult } from '../offer/conversation/history-message.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'

/**
 * Records the ends of calls that waited for the client: a result of one in the host's history is the answer of the
 * client. A call that the user passed over, by a later message without an answer, is aborted.
 */
export async function recordClientAnswers(
  history: readonly HistoryMessage[],
  { store, dispatcher, clock }: CallPipelineParts,
): Promise<void> {
  for (const { call, tool, startedAt } of store.getState().state.waiting) {
    const end = endIn(history, call)
    if (end === null) continue
    const durationMs = Math.max(0, clock.now() - startedAt)
    const command = { type: 'call.end', call, tool, ...end, durationMs, intents: [] } as const
    await dispatcher.dispatch(command, { by: 'user' })
  }
}

/** Returns the end of a call in a history; null while it still waits, or is not in the history. */
function endIn(history: readonly HistoryMessage[], id: OpenCall['call']) {
  const made = history.findLastIndex(({ calls }) => calls?.includes(id))
  if (made === -1) return null
  const later = history.slice(made + 1)
  const isIts = ({ call }: HistoryResult) => call === id
  const result = later.flatMap(({ results = [] }) => results).find(isIts)
  if (result?.failed === true) return { ok: false, error: ErrorType.PERMANENT }
  if (result !== undefined) return { ok: true, error: null }
  return later.some(({ role }) => role === 'user') ? { ok: false, error: ErrorType.ABORTED } : null
}
