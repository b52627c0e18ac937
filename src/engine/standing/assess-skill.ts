import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { OpenSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { loadingErrors } from './unread-skills.ts'
import { matchesPattern } from '../../kernel/matches-pattern.ts'
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

/** A skill's status, with the facts it follows from. */
export interface SkillAssessment {
  readonly name: string
  readonly status: SkillStatus
  /** The open source of an active, broken or changed skill; null for one that could not be loaded. */
  readonly open: OpenSource | null
  /** The plan of its activation, for an inactive skill. */
  readonly plan: Extract<ActivationPlan, { ok: true }> | null
  /** The reason it could not be activated now. */
  readonly obstacle: Refusal | null
  /** The nearest names, for a name that is not known. */
  readonly nearest: readonly string[]
}

/**
 * Decides a skill's status.
 *
 * @param pending the skills that are being activated or deactivated
 */
export function assessSkill(
  state: WorkspaceState,
  context: EngineContext,
  name: string,
  pending: readonly string[] = [],
): SkillAssessment {
  const { catalog, agent } = context
  const open = openSkill(state, name)
  const assessment = (status: SkillStatus, more?: Partial<SkillAssessment>): SkillAssessment => ({
    name,
    status,
    open,
    plan: null,
    obstacle: null,
    nearest: [],
    ...more,
  })
  if (pending.includes(name)) return assessment('pending')
  if (open) {
    if (skillHasChanged(open, catalog)) return assessment('changed')
    return assessment(state.broken.some((one) => one.skill === name) ? 'broken' : 'active')
  }
  if (!catalog.skills.has(name)) {
    if (loadingErrors(name, catalog).length > 0) return assessment('broken')
    return assessment('unknown', { nearest: nearestNames(name, catalog.skills.keys()) })
  }
  if (!isPermitted(agent, name)) return assessment('not-permitted')
  const plan = planSkill(name, state, context)
  if (plan.ok) return assessment('inactive', { plan })
  const status = plan.code === 'conflicting' ? 'conflicting' : 'missing-requirement'
  return assessment(status, { obstacle: plan })
}

/** Returns the open source of a skill that is active, broken or changed; null for others. */
export function openSkill(state: WorkspaceState, name: string): OpenSource | null {
  return openSkills(state).byName.get(name) ?? null
}

/**
 * Returns true when one of some calls loaded a skill in its current definition: it was not approved again since.
 * A result of `loadSkill` has the instructions of the skill.
 *
 * @param calls ids of calls of `loadSkill`
 */
export function isLoadedBy(
  calls: ReadonlySet<string>,
  skill: string,
  state: WorkspaceState,
): boolean {
  const open = openSkill(state, skill)
  return (
    open !== null &&
    open.cause.by === 'model' &&
    calls.has(open.cause.call) &&
    open.claims.every(({ since }) => since === open.since)
  )
}

const changedMemo = new WeakMap<
  OpenSource,
  { readonly catalog: Catalog; readonly changed: boolean }
>()

/**
 * Returns true for an open skill that is no longer what the session activated, or has left the
 * catalog.
 *
 * Compares its tools, too: a skill that names shared tools, or extends another skill, keeps its
 * hash when one of those tools changes.
 */
export function skillHasChanged(source: OpenSource, catalog: Catalog): boolean {
  const known = changedMemo.get(source)
  if (known?.catalog === catalog) return known.changed
  const { owner, definition, claims } = source
  const own = catalog.skillTools.get(owner)?.filter(({ server }) => server === undefined) ?? []
  const now = new Set(own.map(({ tool }) => tool.hash))
  const changed =
    catalog.skills.get(owner)?.hash !== definition ||
    claims.length !== now.size ||
    claims.some(({ hash }) => !now.has(hash))
  changedMemo.set(source, { catalog, changed })
  return changed
}

/** Plans the activation of a skill that is not active, with all skills it requires. */
export function planSkill(
  wanted: string,
  state: WorkspaceState,
  { catalog, agent }: EngineContext,
  replace = false,
): ActivationPlan {
  return planActivation({
    wanted,
    skills: catalog.skills,
    unread: (name) => loadingErrors(name, catalog)[0],
    active: activeSkills(state),
    permitted: (name) => isPermitted(agent, name),
    exclusiveAgent: agent?.exclusive ?? false,
    replace,
    requested: (name) => openSkill(state, name)?.requested ?? true,
  })
}

/** Returns the names of the active skills, in the order of their activation. */
export function activeSkills(state: WorkspaceState): readonly string[] {
  return openSkills(state).names
}

/** The open sources of skills, in the order of their activation. */
interface OpenSkills {
  readonly names: readonly string[]
  readonly byName: ReadonlyMap<string, OpenSource>
}

const openMemo = new WeakMap<WorkspaceState['open'], OpenSkills>()

/** An index, because one command looks up each of the active skills. */
function openSkills({ open }: WorkspaceState): OpenSkills {
  const known = openMemo.get(open)
  if (known) return known
  const byName = new Map<string, OpenSource>()
  for (const one of open) if (one.source === 'skill') byName.set(one.owner, one)
  const index = { names: [...byName.keys()], byName }
  openMemo.set(open, index)
  return index
}

const listed = new WeakMap<Agent, ReadonlySet<string>>()

/**
 * Returns true when an agent may activate a skill: one of its own lists names it, its `skills` also by a pattern, or
 * there is no agent.
 */
export function isPermitted(agent: Agent | null, skill: string): boolean {
  if (agent === null || agent.skills === '*') return true
  const known = listed.get(agent) ?? new Set([...agent.skills, ...agent.initialSkills])
  listed.set(agent, known)
  return known.has(skill) || agent.skills.some((one) => matchesPattern(one, skill))
}

/**
 * Returns true when a model may activate a skill: its agent may, and neither the skill nor one that it requires
 * leaves that to people (`disable-model-invocation`).
 */
export function isModelInvocable(
  { catalog, agent }: Pick<EngineContext, 'catalog' | 'agent'>,
  skill: string,
): boolean {
  return isPermitted(agent, skill) && !catalog.leftToPeople.has(skill)
}

type Skills = Catalog['skills']

const lists = new WeakMap<Skills, WeakMap<Agent | Skills, readonly string[]>>()

/**
 * Returns the ids of the skills that a model may activate for an agent, in the catalog's order.
 *
 * All sessions with the same catalog and agent get the same list. A list for each session would
 * grow with the catalog, and callers memoise by the identity of the list.
 */
export function modelInvocableSkills(agent: Agent | null, catalog: Catalog): readonly string[] {
  const { skills } = catalog
  const byAgent = lists.get(skills) ?? new WeakMap<Agent | Skills, readonly string[]>()
  lists.set(skills, byAgent)
  const known =
    byAgent.get(agent ?? skills) ??
    [...skills.keys()].filter((name) => isModelInvocable({ catalog, agent }, name))
  byAgent.set(agent ?? skills, known)
  return known
}
