import { releaseServers } from './plan-servers.ts'
import { accepted, type Decision, refused, UNCHANGED } from './decision.ts'
import type { Cause } from '../model/cause.ts'
import type { CommandOf, Order, Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { Draft } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { activeSkills, openSkill } from '../standing/assess-skill.ts'
import { endedLifetimes, removalPriceOf } from '../standing/ended-lifetimes.ts'
import { namesServers } from '../standing/place-claims.ts'
import { skillMissing } from '../standing/unread-skills.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import { planDeactivation } from '../../skills/activation/plan-deactivation.ts'
import { findSkill } from '../../skills/find-skill.ts'

/**
 * Plans a deactivation: the skill, with `cascade` the skills that require it, and the requirements
 * that only it needed.
 *
 * A deactivation by the end of a lifetime changes nothing when the skill has left, or was activated
 * again, meanwhile. A skill that others still require stays active until they leave.
 */
export function decideDeactivation(
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'skill.deactivate'>,
  context: EngineContext,
): Decision {
  const { skills } = context.catalog
  const isLifetime = order.cause.by === 'lifetime'
  // The end of a condition is settled before.
  const isSettled = order.command.type === 'condition.settle'
  if (isLifetime && !isSettled && !endedLifetimes(state).some((skill) => skill === command.skill)) {
    return UNCHANGED
  }
  const target = targetOf(state, command.skill, context.catalog)
  if (typeof target !== 'string') return refused(order, command.skill ?? '', target)
  const plan = planDeactivation({
    wanted: target,
    skills,
    active: activeSkills(state).map((skill) => ({
      skill,
      requested: openSkill(state, skill)?.requested ?? true,
    })),
    cascade: command.cascade ?? false,
  })
  if (!plan.ok && isLifetime) {
    const terms = { requested: false, lifetime: 'session' } as const
    return accepted(order, { type: 'source.kept', owner: target, ...terms })
  }
  if (!plan.ok) return refused(order, target, plan)
  const leaving = plan.leave.filter((skill) => openSkill(state, skill) !== null)
  const causeOf = (skill: string): Cause =>
    skill === target ? order.cause : { by: 'dependency', of: target }
  return {
    kind: 'planned',
    wanted: target,
    hooks: leaving
      .filter((skill) => skills.get(skill)?.onDeactivate !== undefined)
      .map((skill) => ({ skill, hook: 'onDeactivate' as const })),
    drafts: [
      ...leaving.map((skill) => deactivationDraft(skill, causeOf(skill), state, context)),
      ...(namesServers(leaving, context) ? releaseServers(leaving, state, context) : []),
    ],
  }
}

/** Returns the name of the active skill that a command means, or why there is no such skill. */
function targetOf(
  state: WorkspaceState,
  skill: string | undefined,
  catalog: Catalog,
): string | Refusal {
  const active = activeSkills(state)
  const names = active.map((name) => `"${name}"`).join(', ')
  if (skill === undefined) {
    const [only, ...others] = active
    if (only !== undefined && others.length === 0) return only
    return only === undefined
      ? {
          code: 'skill-not-active',
          message: 'No skill is active.',
          hint: 'There is nothing to deactivate.',
          facts: { active },
        }
      : {
          code: 'skill-ambiguous',
          message: `Several skills are active: ${names}.`,
          hint: 'Name the skill to deactivate.',
          facts: { active },
        }
  }
  if (active.includes(skill)) return skill
  const found = findSkill(skill, catalog.skills)
  if (!found.ok) return skillMissing(skill, found.nearest, catalog)
  if (active.includes(found.name)) return found.name
  return {
    code: 'skill-not-active',
    message: `The skill "${found.name}" is not active.`,
    hint: active.length === 0 ? 'No skill is active.' : `Active skills: ${names}.`,
    facts: { skill: found.name, active },
  }
}

/** Returns the entry of a skill that leaves, with the tokens this frees and loses. */
export function deactivationDraft(
  skill: string,
  cause: Cause,
  state: WorkspaceState,
  context: EngineContext,
): Draft {
  const open = openSkill(state, skill)
  const price = open === null ? undefined : removalPriceOf(open, state, context)
  const event = { type: 'source.closed', source: 'skill', owner: skill, names: null } as const
  return { cause, event: { ...event, ...(price && { price }) } }
}
