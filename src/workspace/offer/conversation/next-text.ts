import type { SentPart } from '../../../engine/model/conversation-state.ts'
import type { WorkspaceState } from '../../../engine/model/workspace-state.ts'
import { isLoadedBy, openSkill } from '../../../engine/standing/assess-skill.ts'
import { textHash } from '../../../kernel/content-hash.ts'
import type { ConversationPart } from '../../../render/prompt/forms/write-prompt.ts'
import { codeSpan } from '../../../render/prompt/forms/write-markdown.ts'
import { NOT_FROM_USER } from './history-message.ts'
import type { PlacedMessage } from './place-messages.ts'

/** A conversation before the messages of a step are added. */
interface ConversationSoFar {
  readonly placed: readonly PlacedMessage[]
  readonly state: WorkspaceState
}

/** A text for the model with what it lacks. */
interface NextText {
  readonly text: string
  readonly parts: readonly SentPart[]
  readonly gone: readonly string[]
  /** Writes the text with other versions of its parts. */
  write(versions: readonly ConversationPart[]): string
}

const REPLACING = 'Each section below replaces an earlier one of the same heading.'

/** Returns the text that a conversation needs and lacks; null when it lacks nothing. */
export function nextText(
  parts: readonly ConversationPart[],
  conversation: ConversationSoFar,
): NextText | null {
  const needed = requiredParts(parts, conversation)
  const known = new Set(parts.map(({ id }) => id))
  const sent = sentParts(conversation)
  const fresh = needed.filter(({ id, hash }) => sent.get(id)?.hash !== hash)
  const now = new Set(needed.map(({ id }) => id))
  // A part that a result of a call contains exists, and is not gone.
  const gone = [...sent].flatMap(([id, part]) =>
    part === null || now.has(id) || known.has(id) ? [] : { id, title: part.title },
  )
  if (fresh.length === 0 && gone.length === 0) return null
  const titles = gone.flatMap(({ id, title }) => (id === DEACTIVATED ? [] : title))
  const ended = titles.length === 0 ? '' : `No longer applies: ${titles.join('; ')}.\n\n`
  const introduction = fresh.length === 0 ? NOT_FROM_USER : `${NOT_FROM_USER} ${REPLACING}`
  const write = (versions: readonly ConversationPart[]) => {
    const texts = fresh.map((part) => versions.find(({ id }) => id === part.id)?.text ?? part.text)
    return `${introduction}\n\n${texts.join('')}${ended}`.trimEnd()
  }
  return {
    text: write(fresh),
    write,
    parts: fresh.map(({ id, title, hash }) => ({ id, title, hash })),
    gone: gone.map(({ id }) => id),
  }
}

/** Returns the latest version of each part that a conversation has; null once it was reported as gone. */
function sentParts({ placed, state }: ConversationSoFar): Map<string, SentPart | null> {
  const sent = new Map<string, SentPart | null>()
  const add = ({ parts, gone }: Pick<NextText, 'parts' | 'gone'>) => {
    for (const part of parts) sent.set(part.id, part)
    for (const id of gone) sent.set(id, null)
  }
  for (const message of state.conversation.ours) {
    if (message.kind === 'summary') add({ ...message, gone: [] })
  }
  for (const one of placed) if (one.kind === 'ours' && one.message.kind === 'text') add(one.message)
  return sent
}

/** Id of the part that lists skills which a result activated and something else deactivated. */
const DEACTIVATED = 'deactivated-skills'

/**
 * Returns the parts that must be in texts: all but the instructions that a result of `loadSkill`
 * contains; and, of those, the skills that are no longer active.
 */
function requiredParts(
  parts: readonly ConversationPart[],
  { placed, state }: ConversationSoFar,
): readonly ConversationPart[] {
  const results = skillsInResults(placed)
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

/** The skills in the results of `loadSkill` and `unloadSkill` of a conversation. */
interface SkillsInResults {
  /** Ids of the calls whose results contain the instructions of a skill. */
  readonly calls: ReadonlySet<string>
  /** Skills whose instructions are in a result, and that no later result deactivates. */
  readonly loaded: ReadonlySet<string>
}

/** Finds the skills whose instructions a model has from results alone. */
function skillsInResults(placed: readonly PlacedMessage[]): SkillsInResults {
  const calls = new Set<string>()
  const loaded = new Set<string>()
  for (const one of placed) {
    if (one.kind !== 'history' || !one.message.results) continue
    for (const { call, loads, unloads } of one.message.results) {
      if (unloads !== undefined) loaded.delete(unloads)
      if (loads === undefined) continue
      calls.add(call)
      loaded.add(loads)
    }
  }
  return { calls, loaded }
}
