import { contentHash } from '../../kernel/content-hash.ts'
import { callName } from '../../schema/provider-forms/provider-name.ts'
import type { Provider } from '../../schema/provider-forms/provider-schema.ts'
import { CUT_CALL, stoppedAnswer } from '../calls/call-answers.ts'
import {
  type ConversationForm,
  legalArguments,
  type ReadAnswer,
  type WireTypes,
} from './conversation-form.ts'
import { modelCall } from './read-items.ts'

/**
 * Returns the calls of an answer for the gate, and in the form in which they go back to the provider.
 *
 * @param taken the ids of the calls in the history
 * @param length the messages of the history
 */
export function fitCalls<Wire extends WireTypes>(
  { status, stopped, calls }: ReadAnswer<Wire>,
  { idLength }: Pick<ConversationForm<Wire>, 'idLength'>,
  provider: Provider,
  taken: ReadonlySet<string>,
  length: number,
) {
  const ids = new Set(taken)
  return calls.map(({ id: own, isCut = false, ...given }, index) => {
    const id = idLength === undefined ? String(own) : callId(own, [length, index], ids, idLength)
    ids.add(id)
    const fit = legalArguments(given.input)
    const isUnfinished = status === 'cut' && (fit === null || (given.input ?? '') === '')
    const reason =
      stopped === undefined ? (isCut || isUnfinished) && CUT_CALL : stoppedAnswer(stopped)
    const name = callName(given.name, provider)
    return {
      call: { ...modelCall({ ...given, id }), ...(reason !== false && { stopped: reason }) },
      sent: { id, name, ...(fit ?? { input: {}, text: '{}' }) },
    }
  })
}

/**
 * Returns the id of a call: its own, or a new one where it has none, another call has it, or it is too long.
 *
 * @param place the place of the call in the conversation. The new id follows from it, so that a step that is made again
 *   after a crash has the same ids, and no call runs twice
 * @param taken ids of other calls
 * @param limit the most characters that the provider takes
 */
function callId(
  own: unknown,
  place: readonly number[],
  taken: ReadonlySet<string>,
  limit: number,
): string {
  const isLegal = typeof own === 'string' && own !== '' && own.length <= limit
  if (isLegal && !taken.has(own)) return own
  // A history that was cut has fewer messages, so another call may have the id of this place.
  const id = `call_${contentHash(place).slice(-24)}`
  return taken.has(id) ? callId(own, [...place, 0], taken, limit) : id
}
