import { leavingOrder, withDependents } from './leaving-order.ts'
import { orphanedRequirements } from './orphaned-requirements.ts'
import type { PlanRefusal } from './plan-refusal.ts'
import type { Skill } from '../definition/skill.ts'

/** What `planDeactivation` decides from. */
export interface DeactivationRequest {
  /** A skill that is active. */
  readonly wanted: string
  readonly skills: ReadonlyMap<string, Skill>
  /** In the order they were activated; `requested` is false when only a requirement brought it. */
  readonly active: readonly { readonly skill: string; readonly requested: boolean }[]
  /** Put the skills that require it away too, instead of refusing. */
  readonly cascade: boolean
}

/** Who leaves, in order, when a skill is put away. */
export type DeactivationPlan =
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
  const order = leavingOrder(leaving, names, skills)
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
  return { ok: true, leave: [...order, ...leavingOrder(new Set(orphans), names, skills)] }
}
