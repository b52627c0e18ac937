import type { MessagePlace, WorkspaceMessage } from '../../../engine/model/conversation-state.ts'
import { type HistoryMessage, messageKey } from './history-message.ts'

/** A message of a conversation: one of the host's history, or one of the workspace. */
export type PlacedMessage =
  | { readonly kind: 'history'; readonly index: number; readonly message: HistoryMessage }
  | { readonly kind: 'ours'; readonly message: PlaceableMessage; readonly text: string }

/** A message of the workspace that has a place: all but what a summary contains. */
export type PlaceableMessage = Exclude<WorkspaceMessage, { kind: 'summary' }>

/** A history with the messages of the workspace back in their places. */
export interface PlacedHistory {
  readonly messages: readonly PlacedMessage[]
  /** Indexes of messages of the workspace whose place, or whose text, is gone. */
  readonly lost: readonly number[]
}

/**
 * Puts the messages of the workspace back into their places.
 *
 * A host stores its user's messages and the model's answers, but no message between them. Without the
 * workspace's messages in their old places, the next request would not begin with this one. A message
 * whose place is gone is left out, and its content is sent again at the end.
 *
 * @param texts the texts of the messages, by key
 */
export function placeMessages(
  history: readonly HistoryMessage[],
  ours: readonly WorkspaceMessage[],
  texts: ReadonlyMap<string, string>,
): PlacedHistory {
  const places = keyIndexes(history, ours)
  const lost: number[] = []
  const after = new Map<number, PlacedMessage[]>()
  for (const [number, message] of ours.entries()) {
    if (message.kind === 'summary') continue
    const index = indexOf(message.after, places)
    const text = message.kind === 'text' ? texts.get(message.key) : ''
    if (index === null || text === undefined) {
      lost.push(number)
      continue
    }
    const there = after.get(index) ?? []
    there.push({ kind: 'ours', message, text })
    after.set(index, there)
  }
  const messages = [...(after.get(-1) ?? [])]
  for (const [index, message] of history.entries()) {
    messages.push({ kind: 'history', index, message }, ...(after.get(index) ?? []))
  }
  return { messages: settleToolChanges(messages), lost }
}

/**
 * Moves changes of tools behind what follows them, until a message of the model or the end follows: providers
 * take them nowhere else.
 */
export function settleToolChanges(messages: readonly PlacedMessage[]): readonly PlacedMessage[] {
  const settled: PlacedMessage[] = []
  let waiting: PlacedMessage[] = []
  for (const one of messages) {
    if (one.kind === 'ours' && one.message.kind === 'tools') {
      waiting.push(one)
      continue
    }
    if (one.kind === 'history' && one.message.role === 'assistant') {
      settled.push(...waiting)
      waiting = []
    }
    settled.push(one)
  }
  return [...settled, ...waiting]
}

/** Returns the place directly before the message with this index. */
export function placeBefore(
  index: number,
  history: readonly HistoryMessage[],
): MessagePlace | null {
  const last = history[index - 1]
  if (last === undefined) return null
  const key = messageKey(last)
  const nth = history.slice(0, index - 1).filter((one) => messageKey(one) === key).length
  return { key, nth }
}

/** Returns the indexes of the messages that a place follows, by key. */
function keyIndexes(
  history: readonly HistoryMessage[],
  ours: readonly WorkspaceMessage[],
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const message of ours) {
    if (message.kind !== 'summary' && message.after !== null) places.set(message.after.key, [])
  }
  if (places.size === 0) return places
  for (const [index, message] of history.entries()) places.get(messageKey(message))?.push(index)
  return places
}

/** Returns the index of the message that a place follows, -1 for the start; null when it is gone. */
function indexOf(
  place: MessagePlace | null,
  places: ReadonlyMap<string, readonly number[]>,
): number | null {
  if (place === null) return -1
  const equal = places.get(place.key)
  // A host that left out the beginning has fewer messages that are equal to this one.
  return equal?.[place.nth] ?? equal?.at(-1) ?? null
}
