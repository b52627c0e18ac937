import { type Outcome, type VirtualWorkspace, WorkspaceError } from '../../../entries/index.ts'
import { counted } from '../../../entries/plan.ts'
import { activeSkills, openSkill, refusedSkills, type Rule, ruleKey } from '../../../entries/kit.ts'
import { changeSession, whyNoChange } from './change-session.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { note } from '../context/ui-state.ts'
import { switchRule } from '../../project/config/skill-switches.ts'
import { refusedOutcome } from '../../../workspace/commands/outcome.ts'

/**
 * Turns skills off for models in this project, or on again if all of them are off. A skill that is turned off is
 * deactivated, is kept off in later sessions, and is denied to models in this one.
 */
export function switchSkills(
  context: PlaygroundContext,
  skills: readonly string[],
): Promise<void> | void {
  const { ui, skillDesk: desk } = context
  if (desk === null) return ui.setState({ banner: note('note', NO_DESK) })
  return changeSession(context, ({ state, catalog }) => {
    const denied = new Set(state.policy.deny.map((rule) => ruleKey('deny', rule)))
    const isOff = (skill: string) => denied.has(ruleKey('deny', switchRule(skill)))
    const refused = refusedSkills(state.policy, catalog)
    const off = skills.some((skill) => !isOff(skill))
    const meant = skills.filter((skill) => isOff(skill) !== off)
    const [only] = meant
    const [word, verb] = off ? ['off', 'turning off'] : ['on', 'turning on']
    const what = meant.length === 1 ? `${only}` : counted(meant.length, 'skill')
    const byOther = `off by another rule, or requires a skill that is off. ${SHOWN}`
    if (off && meant.every((skill) => refused.has(skill))) {
      ui.setState({ banner: note('note', `${what} is ${byOther}`) })
      return null
    }
    const own = new Set(meant.map((skill) => ruleKey('deny', switchRule(skill))))
    const others = state.policy.deny.filter((rule) => !own.has(ruleKey('deny', rule)))
    const stays = refusedSkills({ ...state.policy, deny: others }, catalog)
    return {
      doing: `${verb} ${what}`,
      done:
        !off && meant.some((skill) => stays.has(skill))
          ? `${what} turned on, and still ${byOther}`
          : `${what} turned ${word} for models in this project`,
      run: async (workspace) => {
        const outcome = off ? await deactivateAll(workspace, meant) : null
        if (outcome?.ok === false) return outcome
        const { deny, places } = await desk.turn(meant, off)
        const ruled = await setRules(workspace, meant, off ? deny : [], places)
        // A model may have loaded one before the rules denied it.
        return (off && ruled.ok ? await deactivateAll(workspace, meant) : null) ?? ruled
      },
    }
  })
}

/** Returns the reason why skills cannot be turned off or on now; null when they can. */
export function whyNoSwitch(context: PlaygroundContext): string | null {
  return context.skillDesk === null ? NO_DESK : whyNoChange(context)
}

const SHOWN = '6 shows the rule, and e there opens it.'

const NO_DESK = 'Skills cannot be turned off on this screen.'

/** Deactivates the skills that are active, those that require others first; ends with the first that is refused. */
async function deactivateAll(
  workspace: VirtualWorkspace,
  skills: readonly string[],
): Promise<Outcome | null> {
  const active = activeSkills(workspace.state).toReversed()
  for (const skill of active.filter((one) => skills.includes(one))) {
    // One that was active only because another required it has left with that one.
    if (openSkill(workspace.state, skill) === null) continue
    const outcome = await workspace.deactivateSkill(skill, { by: 'user' })
    if (!outcome.ok) return outcome
  }
  return null
}

/** Adds rules to those that deny, in place of those about the given skills. */
async function setRules(
  workspace: VirtualWorkspace,
  skills: readonly string[],
  added: readonly Rule[],
  places: NonNullable<Parameters<VirtualWorkspace['setPermissions']>[0]['places']>,
): Promise<Outcome> {
  const replaced = new Set(
    [...skills.map(switchRule), ...added].map((rule) => ruleKey('deny', rule)),
  )
  const kept = workspace.state.policy.deny.filter((rule) => !replaced.has(ruleKey('deny', rule)))
  try {
    return await workspace.setPermissions({ deny: [...kept, ...added], places }, { by: 'user' })
  } catch (error) {
    // A session of another host: the choice counts in new sessions.
    if (!WorkspaceError.is(error) || error.code !== 'POLICY_LOOSENED') throw error
    return refusedOutcome(workspace.state.seq, KEPT)
  }
}

const KEPT = {
  code: 'policy-loosened',
  message: 'It is on in new sessions. This one belongs to another process, and keeps its rule.',
  hint: 'To replace its rules, open it with --policy replace.',
  facts: {},
}
