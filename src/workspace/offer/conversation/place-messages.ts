import type { MessagePlace, WorkspaceMessage } from '../../../engine/model/conversation-state.ts'
import { type HistoryMessage, messageKey, type WithdrawnResults } from './history-message.ts'
import type { KeptHistory } from './trim-history.ts'

/** A message of a conversation: one of the host's history, or one of the workspace. */
export type PlacedMessage =
  HostMessage | { readonly kind: 'ours'; readonly message: PlaceableMessage; readonly text: string }

/** A message of the host's history, with its index there and its key. */
export interface HostMessage {
  readonly kind: 'history'
  readonly index: number
  readonly message: HistoryMessage
  readonly key: string
  /** The message in requests, without the results that are withdrawn. Absent for one without such results. */
  readonly reduced?: { readonly message: HistoryMessage; readonly withdrawn: WithdrawnResults }
}

/** Returns a message of the host in the form for requests. */
export function sentMessage({ message, reduced }: HostMessage): HistoryMessage {
  return reduced?.message ?? message
}

/** A message of the workspace that has a place: all but what a summary contains. */
export type PlaceableMessage = Exclude<WorkspaceMessage, { kind: 'summary' }>

/** A history from the host, and its messages. The host may later give copies. */
export interface ReadHistory {
  readonly given: readonly HistoryMessage[]
  readonly host: readonly HostMessage[]
}

/**
 * Returns the messages of a history with their indexes and keys.
 *
 * @param before an earlier history and its messages: the objects of those with which both begin are the same
 */
export function hostMessages(
  history: readonly HistoryMessage[],
  before: ReadHistory | undefined,
): readonly HostMessage[] {
  const { given = [], host = [] } = before ?? {}
  let kept = 0
  const isSameAt = (at: number) =>
    given[at] === history[at] || isSameMessage(given[at], history[at])
  while (kept < history.length && isSameAt(kept)) kept += 1
  if (kept === history.length && kept === host.length) return host
  const fresh = history.slice(kept).map((message, at): HostMessage => {
    return { kind: 'history', index: kept + at, message, key: messageKey(message) }
  })
  return [...host.slice(0, kept), ...fresh]
}

/** Returns true for copies of one message. */
function isSameMessage(
  one: HistoryMessage | undefined,
  other: HistoryMessage | undefined,
): boolean {
  if (one === undefined || other === undefined || messageKey(one) !== messageKey(other))
    return false
  return factsOf(one) === factsOf(other)
}

/** Returns everything of a message that its key does not cover. */
function factsOf({ calls, results, continues }: HistoryMessage): string {
  return JSON.stringify([calls, results, continues])
}

/** A message of the workspace that has a place in a request. */
interface FoundMessage {
  /** Its number among the messages of the workspace. */
  readonly number: number
  readonly message: PlaceableMessage
  /** The index of the host's message that it follows; -1 for the start. */
  readonly index: number
}

/** The messages of the workspace that have a place in a request, and the numbers of those that have none. */
interface FoundMessages {
  readonly found: readonly FoundMessage[]
  /** False when one is placed after a message that is only equal to the one that it followed. */
  readonly isExact: boolean
  readonly lost: readonly number[]
}

/**
 * Finds the places of the messages of the workspace. A message is lost when the host left out the message
 * that it follows, or when the request leaves it out.
 */
export function findPlaces(
  host: readonly HostMessage[],
  ours: readonly WorkspaceMessage[],
  { from }: KeptHistory,
): FoundMessages {
  const places = keyIndexes(host, ours)
  const found: FoundMessage[] = []
  const lost: number[] = []
  let isExact = true
  for (const [number, message] of ours.entries()) {
    if (message.kind === 'summary') continue
    const { after } = message
    const index = indexOf(after, places)
    if (after !== null && places.get(after.key)?.[after.nth] === undefined) isExact = false
    // One that directly precedes the first message that stays does, too.
    if (index === null || index < from - 1) lost.push(number)
    else found.push({ number, message, index })
  }
  return { found, isExact, lost }
}

/**
 * Puts the messages of the workspace back into their places.
 *
 * A host stores its user's messages and the model's answers, but no message between them. Without the
 * workspace's messages in their old places, the next request would not begin with this one. The content of a
 * message that is lost is sent again at the end.
 *
 * @param texts the texts of the messages, by key; a message whose text is gone is left out
 */
export function placeMessages(
  host: readonly HostMessage[],
  { opening, from }: KeptHistory,
  found: readonly FoundMessage[],
  texts: ReadonlyMap<string, string>,
): readonly PlacedMessage[] {
  const after = new Map<number, PlacedMessage[]>()
  for (const { message, index } of found) {
    const text = message.kind === 'text' ? texts.get(message.key) : ''
    if (text === undefined) continue
    const there = after.get(index) ?? []
    there.push({ kind: 'ours', message, text })
    after.set(index, there)
  }
  const first = opening === null ? undefined : host[opening]
  const messages: PlacedMessage[] = [...(first ? [first] : []), ...(after.get(from - 1) ?? [])]
  for (let index = from; index < host.length; index += 1) {
    messages.push(host[index] as HostMessage)
    const following = after.get(index)
    if (following) messages.push(...following)
  }
  return messages
}

/** Returns true when a message of the workspace changes the tools: there are few, and in most conversations none. */
export function hasToolChange(ours: readonly WorkspaceMessage[]): boolean {
  return ours.some(({ kind }) => kind === 'tools')
}

/**
 * Moves changes of tools behind what follows them, until a message of the model or the end follows: most providers
 * take them nowhere else.
 */
export function settleToolChanges(
  messages: readonly PlacedMessage[],
  ours: readonly WorkspaceMessage[],
  { changesAnywhere }: { readonly changesAnywhere: boolean },
): readonly PlacedMessage[] {
  if (changesAnywhere || !hasToolChange(ours)) return messages
  const settled: PlacedMessage[] = []
  let waiting: PlacedMessage[] = []
  for (const one of messages) {
    if (isToolChange(one)) {
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

/** Returns true for a change of the tools. */
function isToolChange(one: PlacedMessage): boolean {
  return one.kind === 'ours' && one.message.kind === 'tools'
}

/** Returns the place directly before the message with this index. */
export function placeBefore(index: number, host: readonly HostMessage[]): MessagePlace | null {
  const last = host[index - 1]
  if (last === undefined) return null
  const { key } = last
  let nth = 0
  for (let at = 0; at < index - 1; at += 1) if (host[at]?.key === key) nth += 1
  return { key, nth }
}

/** Returns the indexes of the messages that a place follows, by key. */
function keyIndexes(
  host: readonly HostMessage[],
  ours: readonly WorkspaceMessage[],
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const message of ours) {
    if (message.kind !== 'summary' && message.after !== null) places.set(message.after.key, [])
  }
  if (places.size === 0) return places
  for (const { key, index } of host) places.get(key)?.push(index)
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
