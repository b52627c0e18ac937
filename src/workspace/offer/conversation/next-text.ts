import type { SentPart, WorkspaceMessage } from '../../../engine/model/conversation-state.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { isLoadedBy, openSkill } from '../../../engine/standing/assess-skill.ts'
import { textHash } from '../../../kernel/content-hash.ts'
import type { ConversationPart } from '../../../render/prompt/forms/write-prompt.ts'
import { codeSpan } from '../../../render/prompt/forms/write-markdown.ts'
import { NOT_FROM_USER } from './history-message.ts'
import { type PlacedMessage, sentMessage } from './place-messages.ts'

/** Everything of the workspace that the model read in a conversation. */
export interface KnownTexts {
  /** The latest version of each part; null once it was reported as gone. */
  readonly sent: Map<string, SentPart | null>
  /** Ids of the calls whose results contain the instructions of a skill. */
  readonly calls: Set<string>
  /** Skills whose instructions are in a result, and that no later result deactivates. */
  readonly loaded: Set<string>
}

/** Collects what the model read in texts and in results of `loadSkill` and `unloadSkill`; a summary has parts, too. */
export function knownTexts(
  ours: readonly WorkspaceMessage[],
  placed: readonly PlacedMessage[],
): KnownTexts {
  const known: KnownTexts = { sent: new Map(), calls: new Set(), loaded: new Set() }
  for (const one of ours) if (one.kind === 'summary') addParts(known, one.parts, [])
  return withMessages(known, placed)
}

/** Adds the messages that follow. */
export function withMessages(before: KnownTexts, more: readonly PlacedMessage[]): KnownTexts {
  const { sent, calls, loaded } = before
  const known = { sent: new Map(sent), calls: new Set(calls), loaded: new Set(loaded) }
  for (const one of more) {
    if (one.kind === 'ours') {
      if (one.message.kind === 'text') addParts(known, one.message.parts, one.message.gone)
      continue
    }
    for (const { call, loads, unloads } of sentMessage(one).results ?? []) {
      if (unloads !== undefined) known.loaded.delete(unloads)
      if (loads === undefined) continue
      known.calls.add(call)
      known.loaded.add(loads)
    }
  }
  return known
}

function addParts({ sent }: KnownTexts, parts: readonly SentPart[], gone: readonly string[]): void {
  for (const part of parts) sent.set(part.id, part)
  for (const id of gone) sent.set(id, null)
}

/** A text for the model with what it lacks. */
interface NextText {
  readonly text: string
  readonly parts: readonly ConversationPart[]
  readonly gone: readonly string[]
  /** Writes the text with other versions of its parts. */
  write(versions: readonly ConversationPart[]): string
}

const REPLACING = 'Each section below replaces an earlier one of the same heading.'

/** Returns the text that a conversation needs and lacks; null when it lacks nothing. */
export function nextText(
  parts: readonly ConversationPart[],
  texts: KnownTexts,
  state: WorkspaceState,
): NextText | null {
  const needed = requiredParts(parts, texts, state)
  const known = new Set(parts.map(({ id }) => id))
  const { sent } = texts
  const fresh = needed.filter(({ id, hash }) => sent.get(id)?.hash !== hash)
  const now = new Set(needed.map(({ id }) => id))
  // A part that a result of a call contains exists, and is not gone.
  const gone = [...sent].flatMap(([id, part]) =>
    part === null || now.has(id) || known.has(id) ? [] : { id, title: part.title },
  )
  if (fresh.length === 0 && gone.length === 0) return null
  const named = gone.filter(({ id }) => id !== DEACTIVATED)
  const ending = fresh.length + named.length === 0 ? gone : named
  const titles = ending.map(({ title }) => title)
  const ended = titles.length === 0 ? '' : `No longer applies: ${titles.join('; ')}.\n\n`
  const introduction = fresh.length === 0 ? NOT_FROM_USER : `${NOT_FROM_USER} ${REPLACING}`
  const write = (versions: readonly ConversationPart[]) => {
    const texts = fresh.map((part) => versions.find(({ id }) => id === part.id)?.text ?? part.text)
    return `${introduction}\n\n${texts.join('')}${ended}`.trimEnd()
  }
  return {
    text: write(fresh),
    write,
    parts: fresh,
    gone: gone.map(({ id }) => id),
  }
}

/** Id of the part that lists skills which a result activated and something else deactivated. */
export const DEACTIVATED = 'deactivated-skills'

/**
 * Returns the parts that must be in texts: all but the instructions that a result of `loadSkill`
 * contains; and, of those, the skills that are no longer active.
 */
function requiredParts(
  parts: readonly ConversationPart[],
  results: KnownTexts,
  state: WorkspaceState,
): readonly ConversationPart[] {
  const needed = parts.filter(
    ({ skill }) => skill === undefined || !isLoadedBy(results.calls, skill, state),
  )
  const deactivated = [...results.loaded].filter((skill) => openSkill(state, skill) === null)
  return deactivated.length === 0 ? needed : [...needed, deactivatedPart(deactivated)]
}

function deactivatedPart(skills: readonly string[]): ConversationPart {
  const title = 'Deactivated skills'
  const list = skills.map((skill) => `- ${codeSpan(skill)}`).join('\n')
  const text = `## ${title}\n\nTheir instructions no longer apply:\n\n${list}\n\n`
  return { id: DEACTIVATED, title, text, hash: textHash(text) }
}
