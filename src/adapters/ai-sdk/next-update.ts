import type { ModelMessage, ToolResultPart, UserModelMessage } from 'ai'
import type { ConversationPart } from './conversation-parts.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { openSkill } from '../../engine/standing/assess-skill.ts'
import { type ContentHash, textHash } from '../../kernel/content-hash.ts'
import { isObject } from '../../kernel/json-value.ts'
import { codeSpan } from '../../render/prompt/forms/write-markdown.ts'

/** A request's messages before the workspace had its say. */
export interface UpdateRequest {
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
export function nextUpdate(request: UpdateRequest): WorkspaceUpdate | null {
  const { messages, parts, state, turn, updates, summarised } = request
  const needed = requiredParts(parts, state, skillsInResults(messages))
  const known = new Set(parts.map(({ id }) => id))
  const had = sentParts([{ parts: summarised, gone: [] }, ...findUpdates(messages, updates)])
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
  return messages.toSpliced(at, 0, updateMessage(update))
}

function anchorOf(messages: readonly ModelMessage[], turn: number): Anchor | null {
  const last = messages.at(-1)
  if (last?.role === 'user') return turn === 0 ? null : { before: 'turn', turn }
  if (last?.role !== 'tool') return null
  const calls = last.content.flatMap((part) => (part.type === 'tool-result' ? part.toolCallId : []))
  return { before: 'answer', calls }
}

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
type SentParts = ReadonlyMap<string, { readonly title: string; readonly hash: ContentHash } | null>

/** What stands in a message of the user that the user never wrote has to say so. */
const INTRODUCTION = 'From the workspace, not from the user.'

const REPLACING = 'Each section below replaces an earlier one of the same heading.'

/**
 * What a conversation lacks of the parts it needs, or null when it lacks nothing.
 *
 * @param known ids of all parts there are: one that a result tells is not gone
 */
function updateFor(
  needed: readonly ConversationPart[],
  known: ReadonlySet<string>,
  had: SentParts,
): Pick<WorkspaceUpdate, 'text' | 'parts' | 'gone'> | null {
  const fresh = needed.filter(({ id, hash }) => had.get(id)?.hash !== hash)
  const now = new Set(needed.map(({ id }) => id))
  const gone = [...had].flatMap(([id, part]) =>
    part === null || now.has(id) || known.has(id) ? [] : { id, title: part.title },
  )
  if (fresh.length === 0 && gone.length === 0) return null
  const titles = gone.flatMap(({ id, title }) => (id === DEACTIVATED ? [] : title))
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
function sentParts(
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
export function updateMessage({ text }: Pick<WorkspaceUpdate, 'text'>): UserModelMessage {
  return { role: 'user', content: text }
}

/** The list of skills that a result loaded and something else put away. */
const DEACTIVATED = 'put-away-skills'

/**
 * The parts a model has to have in messages of ours: all but the instructions that a result of
 * `loadSkill` gave it; and, of those, which hold no longer.
 */
function requiredParts(
  parts: readonly ConversationPart[],
  state: WorkspaceState,
  told: SkillsInResults,
): readonly ConversationPart[] {
  const needed = parts.filter(({ skill }) => skill === undefined || !isInResult(skill, state, told))
  const left = [...told.loaded].filter((skill) => openSkill(state, skill) === null)
  return left.length === 0 ? needed : [...needed, deactivatedPart(left)]
}

/** Whether a result holds a skill's instructions as they are: it was not accepted anew since. */
function isInResult(skill: string, state: WorkspaceState, { calls }: SkillsInResults): boolean {
  const open = openSkill(state, skill)
  return (
    open !== null &&
    open.cause.by === 'model' &&
    calls.has(open.cause.call) &&
    open.claims.every(({ since }) => since === open.since)
  )
}

function deactivatedPart(skills: readonly string[]): ConversationPart {
  const title = 'Skills put away'
  const list = skills.map((skill) => `- ${codeSpan(skill)}`).join('\n')
  const text = `## ${title}\n\nTheir instructions no longer apply:\n\n${list}\n\n`
  return { id: DEACTIVATED, title, text, hash: textHash(text) }
}

/** What the results of `loadSkill` and `unloadSkill` in a conversation say of skills. */
interface SkillsInResults {
  /** Ids of the calls whose results hold the instructions of a skill. */
  readonly calls: ReadonlySet<string>
  /** Skills whose instructions are among the results, and that none after them puts away. */
  readonly loaded: ReadonlySet<string>
}

/** Read which skills' instructions a model has from results alone. */
function skillsInResults(messages: readonly ModelMessage[]): SkillsInResults {
  const calls = new Set<string>()
  const loaded = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'tool') continue
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue
      const { toolName, toolCallId } = part
      const skill = skillOf(part)
      if (skill === undefined) continue
      if (toolName === 'loadSkill') {
        calls.add(toolCallId)
        loaded.add(skill)
      } else if (toolName === 'unloadSkill') loaded.delete(skill)
    }
  }
  return { calls, loaded }
}

/** The skill a result is about; one with references carries its data as text. */
function skillOf({ toolName, output }: ToolResultPart): string | undefined {
  if (toolName !== 'loadSkill' && toolName !== 'unloadSkill') return undefined
  const [first] = output.type === 'content' ? output.value : []
  const data = first?.type === 'text' ? parsed(first.text) : valueOf(output)
  return isObject(data) && typeof data['skill'] === 'string' ? data['skill'] : undefined
}

function valueOf(output: ToolResultPart['output']): unknown {
  return output.type === 'json' ? output.value : undefined
}

/** A history comes from the host, who may have put anything there. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The updates that are among the messages, in order; a text that came twice is found twice. */
export function findUpdates(
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
