import type { Tool } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace, available } from './a-workspace.ts'

test('who sorts the list of available tools does not sort it for the next one', async () => {
  const tools = [aTool('zebra'), aTool('ant')]
  const workspace = await aWorkspace({ skills: [aSkill('zoo', { tools })] })
  await workspace.activateSkill('zoo')
  const list = workspace.getAvailableTools() as Tool[]
  expect(() => list.sort((one, other) => (one.name < other.name ? -1 : 1))).toThrow(TypeError)
  expect(available(workspace)).toEqual(['zebra', 'ant'])
})

test('a tool under a long name is as frozen as under its own', async () => {
  const skills = [
    aSkill('zoo', {
      tools: [aTool('ant', { description: 'Another.' })],
      onConflict: 'namespace',
    }),
  ]
  const workspace = await aWorkspace({ skills }, { tools: [aTool('ant')] })
  await workspace.activateSkill('zoo')
  expect(available(workspace)).toEqual(['ant', 'zoo__ant'])
  expect(workspace.getAvailableTools().every((tool) => Object.isFrozen(tool))).toBe(true)
})
