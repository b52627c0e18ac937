import { dependencyOrder } from './dependency-order.ts'
import type { Skill } from '../definition/skill.ts'

/**
 * The active skills in `leaving` in the order they leave: the latest activated first, but
 * each before the skills it requires.
 */
export function leavingOrder(
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
