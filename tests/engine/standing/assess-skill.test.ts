import { describe, expect, test } from 'vitest'
import { createCatalog } from '../../../src/catalog/create/create-catalog.ts'
import { isPermitted, modelInvocableSkills } from '../../../src/engine/standing/assess-skill.ts'
import { defineAgent } from '../../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../../src/skills/definition/define-skill.ts'

const names = ['__proto__', 'constructor', 'cooking', 'research']
const catalogOf = (...skills: string[]) =>
  createCatalog({ skills: skills.map((name) => defineSkill({ name, description: name })) })

describe('The skills an agent may activate', () => {
  test.each([
    { agent: null, may: names },
    { agent: defineAgent({ name: 'any' }), may: names },
    { agent: defineAgent({ name: 'none', skills: [] }), may: [] },
    {
      agent: defineAgent({
        name: 'some',
        skills: ['__proto__', 'gone', 'cooking'],
        initialSkills: ['research'],
      }),
      may: ['__proto__', 'cooking', 'research'],
    },
  ])('are $may for $agent.name, in the order of the catalog', async ({ agent, may }) => {
    expect(modelInvocableSkills(agent, await catalogOf(...names))).toEqual(may)
    expect(names.filter((name) => isPermitted(agent, name))).toEqual(may)
  })

  test('are one list for every session of the same agent and catalog', async () => {
    const catalog = await catalogOf(...names)
    const agent = defineAgent({ name: 'clerk' })
    expect(modelInvocableSkills(agent, catalog)).toBe(modelInvocableSkills(agent, catalog))
    expect(modelInvocableSkills(null, catalog)).toBe(modelInvocableSkills(null, catalog))
  })

  test('are looked up again in a reloaded catalog', async () => {
    const agent = defineAgent({ name: 'clerk' })
    modelInvocableSkills(agent, await catalogOf(...names))
    expect(modelInvocableSkills(agent, await catalogOf('sewing'))).toEqual(['sewing'])
  })
})
