import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planActivation } from '../../src/skills/activation/plan-activation.ts'
import { planDeactivation } from '../../src/skills/activation/plan-deactivation.ts'
import type { Skill } from '../../src/skills/definition/skill.ts'
import { type Step, skillGraph, steps } from './skill-graph.ts'

type Active = readonly { readonly skill: string; readonly requested: boolean }[]

interface Settings {
  readonly exclusiveAgent: boolean
  permitted(name: string): boolean
}

const settings: fc.Arbitrary<Settings> = fc.record({
  exclusiveAgent: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()),
  permitted: fc
    .subarray(['a', 'b', 'c', 'd', 'e', 'f', 'g'], { minLength: 5 })
    .map((names) => (name: string) => names.includes(name)),
})

/** The active skills after each step, and what was planned. */
function* follow(skills: ReadonlyMap<string, Skill>, todo: readonly Step[], rules: Settings) {
  let active: Active = []
  for (const { skill: wanted, activate, force } of todo) {
    const before = active
    const names = active.map(({ skill }) => skill)
    if (activate === names.includes(wanted)) continue
    if (activate) {
      const plan = planActivation({
        wanted,
        skills,
        active: names,
        ...rules,
        replace: force,
        requested: (name) => before.some(({ skill, requested }) => skill === name && requested),
      })
      if (plan.ok) {
        const left = new Set(plan.leave.map(({ skill }) => skill))
        active = [
          ...active.filter(({ skill }) => !left.has(skill)),
          ...plan.enter.map(({ skill, of }) => ({ skill, requested: of === null })),
        ]
      }
      yield {
        before,
        active,
        wanted,
        ok: plan.ok,
        enter: plan.ok ? plan.enter.map(({ skill }) => skill) : [],
        leave: plan.ok ? plan.leave.map(({ skill }) => skill) : [],
      }
    } else {
      const plan = planDeactivation({ wanted, skills, active, cascade: force })
      const leave = plan.ok ? plan.leave : []
      active = active.filter(({ skill }) => !leave.includes(skill))
      yield { before, active, wanted, ok: plan.ok, enter: [], leave }
    }
  }
}

function holds(
  law: (
    step: ReturnType<typeof follow> extends Generator<infer S> ? S : never,
    skills: ReadonlyMap<string, Skill>,
    rules: Settings,
  ) => void,
) {
  let looked = 0
  fc.assert(
    fc.property(skillGraph, steps, settings, (skills, todo, rules) => {
      for (const step of follow(skills, todo, rules)) {
        if (step.ok) looked += 1
        law(step, skills, rules)
      }
    }),
    { numRuns: 500 },
  )
  expect(looked).toBeGreaterThan(500)
}

const requires = (skills: ReadonlyMap<string, Skill>, name: string) =>
  skills.get(name)?.requires ?? []

test('each skill that enters enters once, after everything it requires', () => {
  holds(({ before, enter }, skills) => {
    const present = new Set(before.map(({ skill }) => skill))
    for (const name of enter) {
      expect(present.has(name)).toBe(false)
      for (const required of requires(skills, name)) expect(present.has(required)).toBe(true)
      present.add(name)
    }
  })
})

test('each skill that leaves was active and leaves once, before everything it requires', () => {
  holds(({ before, leave }, skills) => {
    const present = new Set(before.map(({ skill }) => skill))
    for (const name of leave) {
      expect(present.delete(name)).toBe(true)
      for (const other of present) expect(requires(skills, other)).not.toContain(name)
    }
  })
})

test('the requirements of every active skill are active', () => {
  holds(({ active }, skills) => {
    const names = active.map(({ skill }) => skill)
    for (const name of names) {
      for (const required of requires(skills, name)) expect(names).toContain(required)
    }
  })
})

test('no two active skills conflict', () => {
  holds(({ active }, skills) => {
    for (const { skill } of active) {
      const conflicts = skills.get(skill)?.conflicts.filter((other) => other !== skill) ?? []
      for (const other of active) expect(conflicts).not.toContain(other.skill)
    }
  })
})

test('with an exclusive skill or agent, only its requirements are active', () => {
  const closure = (skills: ReadonlyMap<string, Skill>, name: string): readonly string[] => [
    name,
    ...requires(skills, name).flatMap((required) => closure(skills, required)),
  ]
  holds(({ active, ok, enter, wanted }, skills, { exclusiveAgent }) => {
    const names = active.map(({ skill }) => skill)
    for (const name of names) {
      if (!skills.get(name)?.exclusive) continue
      expect(closure(skills, name)).toEqual(expect.arrayContaining(names))
    }
    if (ok && enter.length > 0 && exclusiveAgent) {
      expect(closure(skills, wanted)).toEqual(expect.arrayContaining(names))
    }
  })
})

test('only permitted skills enter, including the wanted one', () => {
  holds(({ ok, enter, leave, wanted }, _, { permitted }) => {
    expect(enter.every(permitted)).toBe(true)
    if (ok) expect([...enter, ...leave]).toContain(wanted)
  })
})

test('a skill that is only a requirement leaves when no skill needs it', () => {
  holds(({ active }, skills) => {
    for (const { skill, requested } of active) {
      if (requested) continue
      expect(active.some((other) => requires(skills, other.skill).includes(skill))).toBe(true)
    }
  })
})

test('a skill that is activated and deactivated leaves nothing behind', () => {
  holds(({ before, active, ok, enter, leave, wanted }, skills) => {
    if (!ok || enter.length === 0 || leave.length > 0) return
    const back = planDeactivation({ wanted, skills, active, cascade: false })
    expect(back.ok && [...back.leave].toSorted()).toEqual(enter.toSorted())
    expect(active.length - enter.length).toBe(before.length)
  })
})
