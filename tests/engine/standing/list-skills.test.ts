import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listSkills } from '../../../src/engine/standing/list-skills.ts'
import { assessSkill } from '../../../src/engine/standing/assess-skill.ts'
import { defineAgent } from '../../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../../src/skills/definition/define-skill.ts'
import { contextOf, OPENING, stateAfter } from '../a-session.ts'

const NAMES = ['a', 'b', 'c', 'd']

test('every skill is listed with the status it has when assessed alone', async () => {
  const others = fc.subarray(NAMES, { maxLength: 2 })
  const skill = fc.record({
    requires: others,
    conflicts: others,
    exclusive: fc.boolean(),
    isActive: fc.boolean(),
  })
  const skills = fc.tuple(skill, skill, skill, skill)
  await fc.assert(
    fc.asyncProperty(skills, fc.subarray(NAMES), others, async (made, permitted, pending) => {
      const agent = defineAgent({ name: 'clerk', skills: permitted })
      const context = await contextOf(
        {
          skills: made.map(({ requires, conflicts, exclusive }, index) =>
            defineSkill({
              name: NAMES[index] ?? '',
              description: 'A skill.',
              requires,
              conflicts,
              exclusive,
            }),
          ),
        },
        { agent },
      )
      const commands = made.flatMap(({ isActive }, index) =>
        isActive ? [{ type: 'skill.activate', skill: NAMES[index] ?? '' } as const] : [],
      )
      const state = stateAfter(context, [OPENING, ...commands])
      const statuses = listSkills(state, context, pending).map(({ status }) => status)
      expect(statuses).toEqual(
        NAMES.map((name) => assessSkill(state, context, name, pending).status),
      )
    }),
  )
})

test('an activated skill keeps the listing object of an unrelated skill', async () => {
  const context = await contextOf({
    skills: ['one', 'two'].map((name) => defineSkill({ name, description: `${name}.` })),
  })
  const before = listSkills(stateAfter(context, [OPENING]), context)
  const active = stateAfter(context, [OPENING, { type: 'skill.activate', skill: 'one' }])
  const after = listSkills(active, context)
  expect(after.map(({ status }) => status)).toEqual(['active', 'inactive'])
  expect(after[1]).toBe(before[1])
})
