import type { Skill } from '../definition/skill.ts'

/** Two skills that cannot be active side by side. */
export interface ConflictPair {
  readonly entering: string
  readonly other: string
  /** The one of the two that says so; it holds both ways. */
  readonly declaredBy: string
}

/** Who among `entering` conflicts with whom among `others`, whichever of the two declares it. */
export function conflictPairs(
  entering: readonly string[],
  others: readonly string[],
  skills: ReadonlyMap<string, Skill>,
): readonly ConflictPair[] {
  return [
    ...declared(entering, others, skills).map(([name, other]) => ({
      entering: name,
      other,
      declaredBy: name,
    })),
    ...declared(others, entering, skills).map(([other, name]) => ({
      entering: name,
      other,
      declaredBy: other,
    })),
  ]
}

/** Hardly any skill declares a conflict, so `to` is made a set only for one that does. */
function declared(
  from: readonly string[],
  to: readonly string[],
  skills: ReadonlyMap<string, Skill>,
): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  let present: ReadonlySet<string> | undefined
  for (const name of from) {
    const conflicts = skills.get(name)?.conflicts
    if (conflicts === undefined || conflicts.length === 0) continue
    present ??= new Set(to)
    for (const conflict of conflicts) {
      if (conflict !== name && present.has(conflict)) found.push([name, conflict])
    }
  }
  return found
}
