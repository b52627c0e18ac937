import type { ModelMessage, ToolResultPart, UserModelMessage } from 'ai'
import type { ConversationPart } from './conversation-parts.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { openSkill } from '../../engine/standing/assess-skill.ts'
import { type ContentHash, textHash } from '../../kernel/content-hash.ts'
import { isObject } from '../../kernel/json-value.ts'
import { codeSpan } from '../../render/prompt/forms/write-markdown.ts'

/** A request's messages before an update is added. */
export interface UpdateRequest {
  readonly messages: readonly ModelMessage[]
  readonly parts: readonly ConversationPart[]
  readonly state: WorkspaceState
  readonly turn: number
  /** Earlier updates that may be among the messages. */
  readonly updates: readonly WorkspaceUpdate[]
  /** Parts that a summary of the history contains. */
  readonly summarised: readonly ConversationPart[]
}

/**
 * Returns an update with the parts of the workspace that a request's messages lack; null when they
 * lack nothing.
 */
export function nextUpdate(request: UpdateRequest): WorkspaceUpdate | null {
  const { messages, parts, state, turn, updates, summarised } = request
  const needed = requiredParts(parts, state, skillsInResults(messages))
  const known = new Set(parts.map(({ id }) => id))
  const sent = sentParts([{ parts: summarised, gone: [] }, ...findUpdates(messages, updates)])
  const update = updateFor(needed, known, sent)
  return update === null ? null : { ...update, anchor: anchorOf(messages, turn) }
}

/** Adds an update at the end. A message of the user that was never sent stays the last one. */
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

/** The place of an update in the host's history. */
export type Anchor =
  /** Before the user's message that began this turn. */
  | { readonly before: 'turn'; readonly turn: number }
  /** After the results of these calls. */
  | { readonly before: 'answer'; readonly calls: readonly string[] }

/** An update: a message of the workspace in the conversation, with what was new at one step. */
export interface WorkspaceUpdate {
  readonly text: string
  readonly parts: readonly Pick<ConversationPart, 'id' | 'title' | 'hash'>[]
  readonly gone: readonly string[]
  /** Null for a place that only the run at that time knew. */
  readonly anchor: Anchor | null
}

/** The latest version of each part that a conversation has; null once it was reported as gone. */
type SentParts = ReadonlyMap<string, { readonly title: string; readonly hash: ContentHash } | null>

/** A message with the role of the user that the user did not write must say so. */
const INTRODUCTION = 'From the workspace, not from the user.'

const REPLACING = 'Each section below replaces an earlier one of the same heading.'

/**
 * Returns the parts that a conversation needs and lacks, or null when it lacks nothing.
 *
 * @param known ids of all existing parts: one that a tool result contains is not gone
 */
function updateFor(
  needed: readonly ConversationPart[],
  known: ReadonlySet<string>,
  sent: SentParts,
): Pick<WorkspaceUpdate, 'text' | 'parts' | 'gone'> | null {
  const fresh = needed.filter(({ id, hash }) => sent.get(id)?.hash !== hash)
  const now = new Set(needed.map(({ id }) => id))
  const gone = [...sent].flatMap(([id, part]) =>
    part === null || now.has(id) || known.has(id) ? [] : { id, title: part.title },
  )
  if (fresh.length === 0 && gone.length === 0) return null
  const titles = gone.flatMap(({ id, title }) => (id === DEACTIVATED ? [] : title))
  const ended = titles.length === 0 ? '' : `No longer applies: ${titles.join('; ')}.\n\n`
  const body = fresh.map(({ text }) => text).join('') + ended
  const introduction = fresh.length === 0 ? INTRODUCTION : `${INTRODUCTION} ${REPLACING}`
  return {
    text: `${introduction}\n\n${body}`.trimEnd(),
    parts: fresh.map(({ id, title, hash }) => ({ id, title, hash })),
    gone: gone.map(({ id }) => id),
  }
}

/** Returns the parts that a conversation has after these updates, in their order. */
function sentParts(
  updates: readonly Pick<WorkspaceUpdate, 'parts' | 'gone'>[],
): Map<string, { title: string; hash: ContentHash } | null> {
  const sent = new Map<string, { title: string; hash: ContentHash } | null>()
  for (const { parts, gone } of updates) {
    for (const { id, title, hash } of parts) sent.set(id, { title, hash })
    for (const id of gone) sent.set(id, null)
  }
  return sent
}

/** Returns the message of an update. */
export function updateMessage({ text }: Pick<WorkspaceUpdate, 'text'>): UserModelMessage {
  return { role: 'user', content: text }
}

/** Id of the part that lists skills which a result activated and something else deactivated. */
const DEACTIVATED = 'put-away-skills'

/**
 * Returns the parts that must be in updates: all but the instructions that a result of `loadSkill`
 * contains; and, of those, the skills that are no longer active.
 */
function requiredParts(
  parts: readonly ConversationPart[],
  state: WorkspaceState,
  results: SkillsInResults,
): readonly ConversationPart[] {
  const needed = parts.filter(
    ({ skill }) => skill === undefined || !isInResult(skill, state, results),
  )
  const deactivated = [...results.loaded].filter((skill) => openSkill(state, skill) === null)
  return deactivated.length === 0 ? needed : [...needed, deactivatedPart(deactivated)]
}

/**
 * Returns true when a result contains the current instructions of a skill: it was not approved
 * again since.
 */
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
  const title = 'Deactivated skills'
  const list = skills.map((skill) => `- ${codeSpan(skill)}`).join('\n')
  const text = `## ${title}\n\nTheir instructions no longer apply:\n\n${list}\n\n`
  return { id: DEACTIVATED, title, text, hash: textHash(text) }
}

/** The skills in the results of `loadSkill` and `unloadSkill` of a conversation. */
interface SkillsInResults {
  /** Ids of the calls whose results contain the instructions of a skill. */
  readonly calls: ReadonlySet<string>
  /** Skills whose instructions are in a result, and that no later result deactivates. */
  readonly loaded: ReadonlySet<string>
}

/** Finds the skills whose instructions a model has from results alone. */
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

/** Returns the skill of a result. A result with references has its data as text. */
function skillOf({ toolName, output }: ToolResultPart): string | undefined {
  if (toolName !== 'loadSkill' && toolName !== 'unloadSkill') return undefined
  const [first] = output.type === 'content' ? output.value : []
  const data = first?.type === 'text' ? parsed(first.text) : valueOf(output)
  return isObject(data) && typeof data['skill'] === 'string' ? data['skill'] : undefined
}

function valueOf(output: ToolResultPart['output']): unknown {
  return output.type === 'json' ? output.value : undefined
}

/** Parses JSON. The history comes from the host, and may contain anything. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Finds the updates among the messages, in order. A text that occurs twice is found twice. */
export function findUpdates(
  messages: readonly ModelMessage[],
  updates: readonly WorkspaceUpdate[],
): readonly WorkspaceUpdate[] {
  const found: WorkspaceUpdate[] = []
  const texts = new Set<unknown>(updates.map(({ text }) => text))
  let from = 0
  for (const { role, content } of messages) {
    if (role !== 'user' || !texts.has(content)) continue
    const at = updates.findIndex(({ text }, index) => index >= from && text === content)
    const update = updates[at]
    if (update === undefined) continue
    found.push(update)
    from = at + 1
  }
  return found
}
