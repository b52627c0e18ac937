import type { UserModelMessage } from 'ai'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { PUT_AWAY } from './parts-to-tell.ts'
import type { ConversationPart } from './conversation-parts.ts'

/** Where a message of ours stands in the host's history. */
export type Anchor =
  /** Before the message of the user that began this turn. */
  | { readonly before: 'turn'; readonly turn: number }
  /** After the results of these calls. */
  | { readonly before: 'answer'; readonly calls: readonly string[] }

/** A message of ours in the conversation: what was new at one step. */
export interface WorkspaceUpdate {
  readonly text: string
  readonly parts: readonly Pick<ConversationPart, 'id' | 'title' | 'hash'>[]
  readonly gone: readonly string[]
  /** Null for a place that only that run could know. */
  readonly anchor: Anchor | null
}

/** What a conversation has of the workspace: the latest of each part; null once said to be gone. */
export type HadParts = ReadonlyMap<
  string,
  { readonly title: string; readonly hash: ContentHash } | null
>

/** What stands in a message of the user that the user never wrote has to say so. */
const INTRODUCTION = 'From the workspace, not from the user.'
const REPLACING = 'Each section below replaces an earlier one of the same heading.'

/**
 * What a conversation lacks of the parts it needs, or null when it lacks nothing.
 *
 * @param known ids of all parts there are: one that a result tells is not gone
 */
export function updateFor(
  needed: readonly ConversationPart[],
  known: ReadonlySet<string>,
  had: HadParts,
): Pick<WorkspaceUpdate, 'text' | 'parts' | 'gone'> | null {
  const fresh = needed.filter(({ id, hash }) => had.get(id)?.hash !== hash)
  const now = new Set(needed.map(({ id }) => id))
  const gone = [...had].flatMap(([id, part]) =>
    part === null || now.has(id) || known.has(id) ? [] : { id, title: part.title },
  )
  if (fresh.length === 0 && gone.length === 0) return null
  const titles = gone.flatMap(({ id, title }) => (id === PUT_AWAY ? [] : title))
  const over = titles.length === 0 ? '' : `No longer applies: ${titles.join('; ')}.\n\n`
  const told = fresh.map(({ text }) => text).join('') + over
  const introduction = fresh.length === 0 ? INTRODUCTION : `${INTRODUCTION} ${REPLACING}`
  return {
    text: `${introduction}\n\n${told}`.trimEnd(),
    parts: fresh.map(({ id, title, hash }) => ({ id, title, hash })),
    gone: gone.map(({ id }) => id),
  }
}

/** What a conversation has after these updates, in their order. */
export function hadParts(
  updates: readonly Pick<WorkspaceUpdate, 'parts' | 'gone'>[],
): Map<string, { title: string; hash: ContentHash } | null> {
  const had = new Map<string, { title: string; hash: ContentHash } | null>()
  for (const { parts, gone } of updates) {
    for (const { id, title, hash } of parts) had.set(id, { title, hash })
    for (const id of gone) had.set(id, null)
  }
  return had
}

/** The message an update is sent as. */
export function messageOf({ text }: Pick<WorkspaceUpdate, 'text'>): UserModelMessage {
  return { role: 'user', content: text }
}
