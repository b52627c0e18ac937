import { openSkill } from '../../engine/standing/skill-standing.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import { textHash } from '../../kernel/content-hash.ts'
import { codeSpan } from '../../render/prompt/forms/code-span.ts'
import type { ConversationPart } from './conversation-parts.ts'
import type { ToldSkills } from './told-skills.ts'

/** The list of skills that a result loaded and something else put away. */
export const PUT_AWAY = 'put-away-skills'

/**
 * The parts a model has to have in messages of ours: all but the instructions that a result of
 * `loadSkill` gave it; and, of those, which hold no longer.
 */
export function partsToTell(
  parts: readonly ConversationPart[],
  state: WorkspaceState,
  told: ToldSkills,
): readonly ConversationPart[] {
  const needed = parts.filter(({ skill }) => skill === undefined || !isTold(skill, state, told))
  const left = [...told.loaded].filter((skill) => openSkill(state, skill) === null)
  return left.length === 0 ? needed : [...needed, putAway(left)]
}

/** Whether a result holds a skill's instructions as they are: it was not accepted anew since. */
function isTold(skill: string, state: WorkspaceState, { calls }: ToldSkills): boolean {
  const open = openSkill(state, skill)
  return (
    open !== null &&
    open.cause.by === 'model' &&
    calls.has(open.cause.call) &&
    open.claims.every(({ since }) => since === open.since)
  )
}

function putAway(skills: readonly string[]): ConversationPart {
  const title = 'Skills put away'
  const list = skills.map((skill) => `- ${codeSpan(skill)}`).join('\n')
  const text = `## ${title}\n\nTheir instructions no longer apply:\n\n${list}\n\n`
  return { id: PUT_AWAY, title, text, hash: textHash(text) }
}
