import fc from 'fast-check'
import type { Skill } from '../../src/skills/definition/skill.ts'
import { skillsOf } from './skills-of.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const

const links = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 })

/**
 * Seven skills with random requirements (circles included, and now and then a missing one),
 * conflicts and exclusivity.
 */
export const skillGraph: fc.Arbitrary<ReadonlyMap<string, Skill>> = fc
  .tuple(
    ...NAMES.map((name, index) =>
      fc.record({
        name: fc.constant(name),
        requires: fc.oneof(
          {
            weight: 9,
            arbitrary: fc
              .uniqueArray(fc.constantFrom(...NAMES.slice(index), name), { maxLength: 2 })
              .map((names) => names.filter((other) => other !== name)),
          },
          { weight: 1, arbitrary: fc.oneof(links, fc.constant(['missing'])) },
        ),
        conflicts: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, links),
        exclusive: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.boolean()),
      }),
    ),
  )
  .map((skills) => skillsOf(Object.fromEntries(skills.map(({ name, ...rest }) => [name, rest]))))

/** The next change to the skills of a graph. */
export interface Step {
  readonly skill: (typeof NAMES)[number]
  readonly activate: boolean
  /** Replace conflicting skills, or cascade to dependents. */
  readonly force: boolean
}

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    skill: fc.constantFrom(...NAMES),
    activate: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
    force: fc.boolean(),
  }),
  { maxLength: 12 },
)
