import { describe, expect, test } from 'vitest'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { defineAgent } from '../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../src/skills/definition/define-skill.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'

const skills = ['cooking', 'research'].map((name) => defineSkill({ name, description: name }))
const agents = [
  defineAgent({ name: 'cook', skills: ['cooking'] }),
  defineAgent({ name: 'anybody' }),
]
const catalog = await createCatalog({ skills, agents })
const loadSkillOf = async (agent: string) => {
  const workspace = await VirtualWorkspace.open({ catalog, agent })
  const tool = workspace.getAvailableTools().find(({ name }) => name === 'loadSkill')
  return { workspace, tool }
}

describe('Meta-tools of several sessions', () => {
  test('share their schemas, so that an idle session costs little', async () => {
    const [one, other] = [await loadSkillOf('cook'), await loadSkillOf('cook')]
    expect(one.tool?.inputSchema).toBeDefined()
    expect(one.tool?.inputSchema).toBe(other.tool?.inputSchema)
  })

  test('act on their own session only', async () => {
    const [one, other] = [await loadSkillOf('cook'), await loadSkillOf('cook')]
    const response = await one.workspace.callTool('loadSkill', { skillName: 'cooking' })
    expect(response.ok).toBe(true)
    expect(one.workspace.skillManager.getActiveSkills()).toHaveLength(1)
    expect(other.workspace.skillManager.getActiveSkills()).toHaveLength(0)
  })

  test('name the skills of their own agent', async () => {
    const [cook, anybody] = [await loadSkillOf('cook'), await loadSkillOf('anybody')]
    expect(cook.tool?.inputSchema).toHaveProperty('properties.skillName.enum', ['cooking'])
    expect(anybody.tool?.inputSchema).toHaveProperty('properties.skillName.enum', [
      'cooking',
      'research',
    ])
  })
})
