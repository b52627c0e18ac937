import { dependencyOrder } from './dependency-order.ts'
import type { Skill } from '../definition/skill.ts'

/** What `planDeactivation` decides from. */
interface DeactivationRequest {
  /** A skill that is active. */
  readonly wanted: string
  readonly skills: ReadonlyMap<string, Skill>
  /** In the order they were activated; `requested` is false when only a requirement brought it. */
  readonly active: readonly { readonly skill: string; readonly requested: boolean }[]
  /** Put the skills that require it away too, instead of refusing. */
  readonly cascade: boolean
}

/** Who leaves, in order, when a skill is put away. */
type DeactivationPlan =
  { readonly ok: true; readonly leave: readonly string[] } | PlanRefusal<'required-by'>

/**
 * Plan a deactivation: skills that require it first, then the skill, then the requirements
 * that were there only for those that left.
 *
 * Pure. A skill that is no longer in `skills` requires nothing.
 */
export function planDeactivation({
  wanted,
  skills,
  active,
  cascade,
}: DeactivationRequest): DeactivationPlan {
  const names = active.map(({ skill }) => skill)
  const asked = new Set(active.flatMap(({ skill, requested }) => (requested ? [skill] : [])))
  const leaving = withDependents([wanted], names, skills)
  const order = deactivationOrder(leaving, names, skills)
  const dependents = order.filter((name) => name !== wanted)
  if (dependents.length > 0 && !cascade) {
    const by = dependents.map((name) => `"${name}"`).join(', ')
    return {
      ok: false,
      code: 'required-by',
      message: `"${wanted}" is needed by ${by}, still active.`,
      hint: `Put ${by} away first, or put all of them away at once with cascade.`,
      facts: { skill: wanted, by: dependents },
    }
  }
  const orphans = orphanedRequirements({
    leaving,
    remaining: names.filter((name) => !leaving.has(name)),
    requested: (name) => asked.has(name),
    skills,
  })
  return { ok: true, leave: [...order, ...deactivationOrder(new Set(orphans), names, skills)] }
}

/** Why a plan cannot be made, for a person or model to read and a program to act on. */
export interface PlanRefusal<Code extends string> {
  readonly ok: false
  readonly code: Code
  readonly message: string
  /** What would make it possible. */
  readonly hint: string
  readonly facts: Readonly<Record<string, unknown>>
}

/**
 * The active skills in `leaving` in the order they leave: the latest activated first, but
 * each before the skills it requires.
 */
export function deactivationOrder(
  leaving: ReadonlySet<string>,
  active: readonly string[],
  skills: ReadonlyMap<string, Skill>,
): readonly string[] {
  const dependents = activeDependents(active, skills)
  const latestFirst = active.filter((name) => leaving.has(name)).reverse()
  return dependencyOrder(latestFirst, (name) =>
    (dependents.get(name) ?? []).filter((dependent) => leaving.has(dependent)),
  ).order
}

const NOBODY: ReadonlySet<string> = new Set()

/** `names` and all active skills that require one of them, directly or through others. */
export function withDependents(
  names: readonly string[],
  active: readonly string[],
  skills: ReadonlyMap<string, Skill>,
): ReadonlySet<string> {
  if (names.length === 0) return NOBODY
  const dependents = activeDependents(active, skills)
  return new Set(dependencyOrder(names, (name) => dependents.get(name) ?? []).order)
}

/** Active skills by the skill they require, the latest activated first. */
function activeDependents(
  active: readonly string[],
  skills: ReadonlyMap<string, Skill>,
): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>()
  for (const name of active.toReversed()) {
    for (const required of skills.get(name)?.requires ?? []) {
      const known = dependents.get(required)
      if (known === undefined) dependents.set(required, [name])
      else known.push(name)
    }
  }
  return dependents
}

interface Departure {
  readonly leaving: Iterable<string>
  /** Skills active afterwards, so far as is settled. */
  readonly remaining: readonly string[]
  /** False for a skill that is active only because another one required it. */
  requested(name: string): boolean
  readonly skills: ReadonlyMap<string, Skill>
}

/**
 * Of the remaining skills those that nobody asked for and nobody needs once others have left.
 *
 * Only requirements of the leaving are considered, direct or not.
 */
export function orphanedRequirements({
  leaving,
  remaining,
  requested,
  skills,
}: Departure): readonly string[] {
  const requirementsOf = (name: string) => skills.get(name)?.requires ?? []
  const brought = new Set(dependencyOrder(leaving, requirementsOf).order)
  const standing = remaining.filter((name) => !brought.has(name) || requested(name))
  const needed = new Set(dependencyOrder(standing, requirementsOf).order)
  return remaining.filter((name) => !needed.has(name))
}
