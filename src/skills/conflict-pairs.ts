import type { Skill } from './skill.ts'

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
  const declared = (
    from: readonly string[],
    to: ReadonlySet<string>,
  ): readonly (readonly [string, string])[] =>
    from.flatMap((name) =>
      (skills.get(name)?.conflicts ?? [])
        .filter((conflict) => conflict !== name && to.has(conflict))
        .map((conflict) => [name, conflict] as const),
    )
  return [
    ...declared(entering, new Set(others)).map(([name, other]) => ({
      entering: name,
      other,
      declaredBy: name,
    })),
    ...declared(others, new Set(entering)).map(([other, name]) => ({
      entering: name,
      other,
      declaredBy: other,
    })),
  ]
}
