import { findSkill, isObject, openSkill, type PendingConfirmation } from '../../../entries/kit.ts'
import type { UntrustedSkill } from '../../project/open-skill-trust.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { type Agreed, note } from '../context/ui-state.ts'

/**
 * Opens the question about the skills that would be activated with a skill, if the folder of one of them is not
 * trusted. Returns false when there is no question.
 *
 * @param agreed the action of a yes
 */
export async function askConsent(
  context: PlaygroundContext,
  skill: string,
  agreed: Agreed,
): Promise<boolean> {
  const { ui } = context
  const untrusted = await untrustedSkills(context, skill, agreed)
  if (untrusted.length === 0) return false
  const { dialog, writing, filtering } = ui.getState()
  // A letter that was meant for something else must not answer.
  const isElsewhere = dialog !== null || writing !== null || filtering
  ui.setState(
    isElsewhere
      ? { banner: note('note', `The folder of ${skill} is not trusted: it was not activated.`) }
      : { dialog: { kind: 'consent', skill, untrusted, agreed, scroll: 0 } },
  )
  return true
}

/** Returns the skills of folders that are not trusted, of a skill and those that it requires. */
export async function untrustedSkills(
  { consent, workspace }: PlaygroundContext,
  skill: string,
  agreed: Agreed,
): Promise<readonly UntrustedSkill[]> {
  if (consent === null) return []
  const { catalog, state } = workspace()
  const names = new Set([skill])
  for (const name of names) {
    if (agreed.kind !== 'nothing' && openSkill(state, name) !== null) names.delete(name)
    for (const required of catalog.skills.get(name)?.requires ?? []) names.add(required)
  }
  const known = [...names].flatMap((name) => catalog.skills.get(name) ?? [])
  const read = await Promise.all(known.map((one) => consent.read(one)))
  return read.filter((one) => one !== null)
}

/** Returns the skill that a model wants to load, if a question is about that; else null. */
export function skillAskedAbout(
  { consent, workspace }: PlaygroundContext,
  asked: PendingConfirmation | null,
): string | null {
  const { tool, arguments: kept } = asked ?? {}
  if (consent === null || tool !== 'loadSkill' || !isObject(kept)) return null
  const { skillName } = kept
  const found = typeof skillName === 'string' && findSkill(skillName, workspace().catalog.skills)
  return found && found.ok ? found.name : null
}

/** Opens the question about the skill that a model wants to load: a yes also approves the call. */
export async function askAboutLoading(
  context: PlaygroundContext,
  question: PendingConfirmation,
): Promise<void> {
  const skill = skillAskedAbout(context, question)
  if (skill !== null) await askConsent(context, skill, { kind: 'approve', question })
}
