import type { ModelMessage } from 'ai'
import type { WorkspaceState } from '../../engine/model/state.ts'
import type { ConversationPart } from './conversation-parts.ts'
import { partsToTell } from './parts-to-tell.ts'
import { updatesIn } from './place-updates.ts'
import { toldSkills } from './told-skills.ts'
import {
  hadParts,
  messageOf,
  updateFor,
  type Anchor,
  type WorkspaceUpdate,
} from './workspace-update.ts'

/** A request's messages before the workspace had its say. */
export interface UntoldRequest {
  readonly messages: readonly ModelMessage[]
  readonly parts: readonly ConversationPart[]
  readonly state: WorkspaceState
  readonly turn: number
  /** The updates that may be among the messages. */
  readonly updates: readonly WorkspaceUpdate[]
  /** What a summary of the history holds. */
  readonly summarised: readonly ConversationPart[]
}

/** What the messages of a request lack of what the workspace has to tell; null when nothing. */
export function nextUpdate(request: UntoldRequest): WorkspaceUpdate | null {
  const { messages, parts, state, turn, updates, summarised } = request
  const needed = partsToTell(parts, state, toldSkills(messages))
  const known = new Set(parts.map(({ id }) => id))
  const had = hadParts([{ parts: summarised, gone: [] }, ...updatesIn(messages, updates)])
  const update = updateFor(needed, known, had)
  return update === null ? null : { ...update, anchor: anchorOf(messages, turn) }
}

/** What is new goes to the end; a message of the user that was never sent stays the last word. */
export function withUpdate(
  messages: readonly ModelMessage[],
  update: WorkspaceUpdate | null,
): ModelMessage[] {
  if (update === null) return [...messages]
  const at = messages.at(-1)?.role === 'user' ? -1 : messages.length
  return messages.toSpliced(at, 0, messageOf(update))
}

function anchorOf(messages: readonly ModelMessage[], turn: number): Anchor | null {
  const last = messages.at(-1)
  if (last?.role === 'user') return turn === 0 ? null : { before: 'turn', turn }
  if (last?.role !== 'tool') return null
  const calls = last.content.flatMap((part) => (part.type === 'tool-result' ? part.toolCallId : []))
  return { before: 'answer', calls }
}
