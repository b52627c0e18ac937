import { dependencyOrder } from './dependency-order.ts'
import type { Skill } from '../definition/skill.ts'

/**
 * Plans a deactivation: first the skills that require it, then the skill, then the requirements that
 * no other skill needs.
 *
 * Pure. A skill that is no longer in `skills` has no requirements.
 */
export function planDeactivation({
  wanted,
  skills,
  active,
  cascade,
}: {
  /** An active skill. */
  readonly wanted: string
  readonly skills: ReadonlyMap<string, Skill>
  /** In order of activation. `requested` is false for a skill that is only active as a requirement. */
  readonly active: readonly { readonly skill: string; readonly requested: boolean }[]
  /** Also deactivates the skills that require it, instead of refusing. */
  readonly cascade: boolean
}): { readonly ok: true; readonly leave: readonly string[] } | PlanRefusal<'required-by'> {
  const names = active.map(({ skill }) => skill)
  const requested = new Set(active.flatMap((one) => (one.requested ? [one.skill] : [])))
  const leaving = withDependents([wanted], names, skills)
  const order = deactivationOrder(leaving, names, skills)
  const dependents = order.filter((name) => name !== wanted)
  if (dependents.length > 0 && !cascade) {
    const by = dependents.map((name) => `"${name}"`).join(', ')
    return {
      ok: false,
      code: 'required-by',
      message: `"${wanted}" is required by ${by}, still active.`,
      hint: `Deactivate ${by} first, or deactivate all of them at once with cascade.`,
      facts: { skill: wanted, by: dependents },
    }
  }
  const orphans = orphanedRequirements({
    leaving,
    remaining: names.filter((name) => !leaving.has(name)),
    requested: (name) => requested.has(name),
    skills,
  })
  return { ok: true, leave: [...order, ...deactivationOrder(new Set(orphans), names, skills)] }
}

/** The reason why there is no plan, for people and models to read and for programs to act on. */
export interface PlanRefusal<Code extends string> {
  readonly ok: false
  readonly code: Code
  readonly message: string
  /** The way to make it possible. */
  readonly hint: string
  readonly facts: Readonly<Record<string, unknown>>
}

/**
 * Orders the active skills in `leaving`: the last activated first, but each before the skills it
 * requires.
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

const NO_SKILLS: ReadonlySet<string> = new Set()

/** Returns `names` and all active skills that require one of them, directly or indirectly. */
export function withDependents(
  names: readonly string[],
  active: readonly string[],
  skills: ReadonlyMap<string, Skill>,
): ReadonlySet<string> {
  if (names.length === 0) return NO_SKILLS
  const dependents = activeDependents(active, skills)
  return new Set(dependencyOrder(names, (name) => dependents.get(name) ?? []).order)
}

/** Returns active skills by the skill they require, the last activated first. */
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

/**
 * Returns the remaining skills that were not requested and that no skill needs once `leaving` have left.
 *
 * Only direct and indirect requirements of `leaving` are considered.
 */
export function orphanedRequirements({
  leaving,
  remaining,
  requested,
  skills,
}: {
  readonly leaving: Iterable<string>
  /** Skills that stay active, apart from the orphans. */
  readonly remaining: readonly string[]
  /** Returns false for a skill that is only active as a requirement. */
  requested(name: string): boolean
  readonly skills: ReadonlyMap<string, Skill>
}): readonly string[] {
  const needs = (name: string) => skills.get(name)?.requires ?? []
  const required = new Set(dependencyOrder(leaving, needs).order)
  const kept = remaining.filter((name) => !required.has(name) || requested(name))
  const needed = new Set(dependencyOrder(kept, needs).order)
  return remaining.filter((name) => !needed.has(name))
}
