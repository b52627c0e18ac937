import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { OpenSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { type ActivationPlan, planActivation } from '../../skills/activation/plan-activation.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'

export type SkillStatus =
  | 'active'
  | 'pending'
  | 'inactive'
  | 'not-permitted'
  | 'conflicting'
  | 'missing-requirement'
  | 'broken'
  | 'changed'
  | 'shadowed'
  | 'unknown'

/** A skill's standing, with what stands in its way. */
interface SkillAssessment {
  readonly status: SkillStatus
  /** The open source of an active, broken or changed skill. */
  readonly open: OpenSource | null
  /** Why it could not be activated now. */
  readonly obstacle: Refusal | null
  readonly nearest: readonly string[]
}

/** Decide a skill's standing in a state. `pending` names the skills on their way in or out. */
export function assessSkill(
  state: WorkspaceState,
  context: EngineContext,
  name: string,
  pending: readonly string[] = [],
): SkillAssessment {
  const { catalog, agent } = context
  const open = openSkill(state, name)
  const stands = (status: SkillStatus, obstacle: Refusal | null = null): SkillAssessment => ({
    status,
    open,
    obstacle,
    nearest: [],
  })
  if (pending.includes(name)) return stands('pending')
  const skill = catalog.skills.get(name)
  if (open) {
    if (skillHasChanged(open, catalog)) return stands('changed')
    return stands(state.broken.some((one) => one.skill === name) ? 'broken' : 'active')
  }
  if (!skill) {
    const nearest = nearestNames(name, catalog.skills.keys())
    return { status: 'unknown', open, obstacle: null, nearest }
  }
  if (!isPermitted(agent, name)) return stands('not-permitted')
  const plan = planSkill(name, state, context)
  if (plan.ok) return stands('inactive')
  return stands(plan.code === 'conflicting' ? 'conflicting' : 'missing-requirement', plan)
}

/** Plans the activation of a skill that is not active, with all it requires. */
export function planSkill(
  wanted: string,
  state: WorkspaceState,
  { catalog: { skills }, agent }: EngineContext,
  replace = false,
): ActivationPlan {
  return planActivation({
    wanted,
    skills,
    active: activeSkills(state),
    permitted: (name) => isPermitted(agent, name),
    exclusiveAgent: agent?.exclusive ?? false,
    replace,
    requested: (name) => openSkill(state, name)?.requested ?? true,
  })
}

/** The names of the active skills, in the order they came. */
export function activeSkills(state: WorkspaceState): readonly string[] {
  const known = activeMemo.get(state.open)
  if (known) return known
  const names = state.open.filter(({ source }) => source === 'skill').map(({ owner }) => owner)
  activeMemo.set(state.open, names)
  return names
}

const activeMemo = new WeakMap<WorkspaceState['open'], readonly string[]>()

/** The open source of a skill that is active, also of one that is broken or changed; null for others. */
export function openSkill(state: WorkspaceState, name: string): OpenSource | null {
  return state.open.find(({ source, owner }) => source === 'skill' && owner === name) ?? null
}

const changedMemo = new WeakMap<
  OpenSource,
  { readonly catalog: Catalog; readonly changed: boolean }
>()

/**
 * Whether an open skill is not what the session activated, or is gone from the catalog.
 *
 * Its hash alone does not tell: a skill that names shared tools, or extends another, keeps it
 * when one of those tools changes.
 */
export function skillHasChanged(source: OpenSource, catalog: Catalog): boolean {
  const known = changedMemo.get(source)
  if (known?.catalog === catalog) return known.changed
  const { owner, definition, claims } = source
  const now = new Set((catalog.skillTools.get(owner) ?? []).map(({ tool }) => tool.hash))
  const changed =
    catalog.skills.get(owner)?.hash !== definition ||
    claims.length !== now.size ||
    claims.some(({ hash }) => !now.has(hash))
  changedMemo.set(source, { catalog, changed })
  return changed
}

const listed = new WeakMap<Agent, ReadonlySet<string>>()

/** Whether an agent may load a skill: it is on one of its own lists. Without an agent, all are. */
export function isPermitted(agent: Agent | null, skill: string): boolean {
  if (agent === null || agent.skills === '*') return true
  const known = listed.get(agent) ?? new Set([...agent.skills, ...agent.initialSkills])
  listed.set(agent, known)
  return known.has(skill)
}

type Skills = Catalog['skills']

const lists = new WeakMap<Skills, WeakMap<Agent | Skills, readonly string[]>>()

/**
 * The skills of a catalog that an agent may load, by id, in the catalog's order.
 *
 * The same list for every session of both: a session of its own would grow with the catalog,
 * and what is made of the list can be kept by its identity.
 */
export function permittedSkills(agent: Agent | null, { skills }: Catalog): readonly string[] {
  const byAgent = lists.get(skills) ?? new WeakMap<Agent | Skills, readonly string[]>()
  lists.set(skills, byAgent)
  const known =
    byAgent.get(agent ?? skills) ?? [...skills.keys()].filter((name) => isPermitted(agent, name))
  byAgent.set(agent ?? skills, known)
  return known
}
