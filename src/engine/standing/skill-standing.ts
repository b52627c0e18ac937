import { nearestNames } from '../../kernel/nearest-names.ts'
import { planActivation } from '../../skills/activation/plan-activation.ts'
import type { Refusal } from '../decide/decision.ts'
import { hasChanged } from './has-changed.ts'
import { isPermitted } from './is-permitted.ts'
import type { OpenSource } from '../model/source-state.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { SkillStatus } from './status.ts'
import type { Surroundings } from '../model/surroundings.ts'

/** A skill's standing, with what stands in its way. */
export interface SkillStanding {
  readonly status: SkillStatus
  /** The open source of an active, broken or changed skill. */
  readonly open: OpenSource | null
  /** Why it could not be activated now. */
  readonly obstacle: Refusal | null
  readonly nearest: readonly string[]
}

/** Decide a skill's standing in a state. `pending` names the skills on their way in or out. */
export function skillStanding(
  state: WorkspaceState,
  surroundings: Surroundings,
  name: string,
  pending: readonly string[] = [],
): SkillStanding {
  const { catalog, agent } = surroundings
  const open = openSkill(state, name)
  const stands = (status: SkillStatus, obstacle: Refusal | null = null): SkillStanding => ({
    status,
    open,
    obstacle,
    nearest: [],
  })
  if (pending.includes(name)) return stands('pending')
  const skill = catalog.skills.get(name)
  if (open) {
    if (hasChanged(open, catalog)) return stands('changed')
    return stands(state.broken.some((one) => one.skill === name) ? 'broken' : 'active')
  }
  if (!skill) {
    const nearest = nearestNames(name, catalog.skills.keys())
    return { status: 'unknown', open, obstacle: null, nearest }
  }
  if (!isPermitted(agent, name)) return stands('not-permitted')
  const plan = planActivation({
    wanted: name,
    skills: catalog.skills,
    active: activeSkills(state),
    permitted: (one) => isPermitted(agent, one),
    exclusiveAgent: agent?.exclusive ?? false,
    replace: false,
  })
  if (plan.ok) return stands('inactive')
  return stands(plan.code === 'conflicting' ? 'conflicting' : 'missing-requirement', plan)
}

/** The names of the active skills, in the order they came. */
export function activeSkills(state: WorkspaceState): readonly string[] {
  const known = memo.get(state.open)
  if (known) return known
  const names = state.open.filter(({ source }) => source === 'skill').map(({ owner }) => owner)
  memo.set(state.open, names)
  return names
}

const memo = new WeakMap<WorkspaceState['open'], readonly string[]>()

/** The open source of a skill that is active, also of one that is broken or changed; null for others. */
export function openSkill(state: WorkspaceState, name: string): OpenSource | null {
  return state.open.find(({ source, owner }) => source === 'skill' && owner === name) ?? null
}
