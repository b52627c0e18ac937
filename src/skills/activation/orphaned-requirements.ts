import { dependencyOrder } from './dependency-order.ts'
import type { Skill } from '../definition/skill.ts'

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
