import type { ModelMessage } from 'ai'
import { messageOf, type Anchor, type WorkspaceUpdate } from './workspace-update.ts'

/**
 * Put the updates of earlier steps back where they stood.
 *
 * A host keeps its user's messages and the model's answers, and no message that was put between
 * them; without ours in their old places, the next turn's request would not begin with this one's.
 * An update whose place is gone is left out, and what it said is told again at the end.
 *
 * @param turn the turn that the last message of the user began
 */
export function placeUpdates(
  messages: readonly ModelMessage[],
  updates: readonly WorkspaceUpdate[],
  turn: number,
): ModelMessage[] {
  const present = updatesIn(messages, updates)
  const missing = updates.filter((update) => !present.includes(update))
  if (missing.length === 0) return [...messages]
  const users = usersIn(messages, updates)
  const results = resultPlaces(messages)
  const before = Map.groupBy(missing, ({ anchor }) => placeOf(anchor, users, results, turn))
  return messages.flatMap((message, index) => [
    ...(before.get(index) ?? []).map(messageOf),
    message,
    ...(index === messages.length - 1 ? (before.get(index + 1) ?? []).map(messageOf) : []),
  ])
}

/** The updates that are among the messages, in order; a text that came twice is found twice. */
export function updatesIn(
  messages: readonly ModelMessage[],
  updates: readonly WorkspaceUpdate[],
): readonly WorkspaceUpdate[] {
  const found: WorkspaceUpdate[] = []
  let from = 0
  for (const { role, content } of messages) {
    if (role !== 'user' || typeof content !== 'string') continue
    const at = updates.findIndex(({ text }, index) => index >= from && text === content)
    const update = updates[at]
    if (update === undefined) continue
    found.push(update)
    from = at + 1
  }
  return found
}

/** The index an update stands before; -1 when its place is not among the messages. */
function placeOf(
  anchor: Anchor | null,
  users: readonly number[],
  results: ReadonlyMap<string, number>,
  turn: number,
): number {
  if (anchor === null) return -1
  switch (anchor.before) {
    case 'turn':
      return users.at(anchor.turn - turn - 1) ?? -1
    case 'answer': {
      const places = anchor.calls.flatMap((call) => results.get(call) ?? [])
      return places.length === 0 ? -1 : Math.max(...places) + 1
    }
  }
}

/** The places of the messages that the user wrote. */
export function usersIn(
  messages: readonly ModelMessage[],
  updates: readonly WorkspaceUpdate[],
): readonly number[] {
  const texts = new Set<unknown>(updates.map(({ text }) => text))
  return messages.flatMap(({ role, content }, index) =>
    role === 'user' && !texts.has(content) ? index : [],
  )
}

/** The places of the results, by call. */
export function resultPlaces(messages: readonly ModelMessage[]): ReadonlyMap<string, number> {
  return new Map(
    messages.flatMap((message, index) =>
      message.role !== 'tool'
        ? []
        : message.content.flatMap((part) =>
            part.type === 'tool-result' ? [[part.toolCallId, index] as const] : [],
          ),
    ),
  )
}
