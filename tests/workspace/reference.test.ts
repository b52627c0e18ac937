import { createCatalog, defineSkill, defineTool, ToolSource, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'

const myTool1 = defineTool({
  name: 'myTool1',
  description: 'Look a word up.',
  inputSchema: z.object({ word: z.string() }),
  execute: ({ word }) => ({ word, meaning: word.length }),
})
const myTool2 = defineTool({ name: 'myTool2', description: 'Do nothing.', execute: () => null })

const mySkill = defineSkill({
  name: 'my-skill',
  displayName: 'My Skill',
  description: 'A skill with tools',
  version: '1.0.0',
  capabilities: ['Capability 1', 'Capability 2'],
  instructions: 'How to use this skill...',
  tools: [myTool1, myTool2],
})

test("the reference's example: tools come with their skill and go with it", async () => {
  const catalog = await createCatalog({ skills: [mySkill] })
  const workspace = await VirtualWorkspace.open({ catalog })
  const changes: string[][] = []
  workspace.setOnToolAvailabilityChange(() =>
    changes.push(workspace.getAvailableTools().map(({ name }) => name)),
  )

  expect(await workspace.activateSkill('my-skill')).toMatchObject({
    ok: true,
    difference: { added: ['myTool1', 'myTool2'], removed: [], changed: [] },
  })
  expect(workspace.getAvailableTools().map(({ name }) => name)).toEqual([
    'loadSkill',
    'loadSkillFile',
    'unloadSkill',
    'myTool1',
    'myTool2',
  ])
  expect(workspace.getToolSource('myTool1')).toEqual({
    source: ToolSource.SKILL,
    owner: 'my-skill',
  })
  expect(workspace.skillManager.getActiveSkill()).toBe(mySkill)
  expect(await workspace.callTool(myTool1, { word: 'owl' })).toMatchObject({
    ok: true,
    data: { word: 'owl', meaning: 3 },
  })
  expect(workspace.renderSkillToolsSection()).toMatchInlineSnapshot(`
    "╔══════════════════════════════════════════════════════════════════════════════╗
    ║                            SKILL TOOLS: My Skill                             ║
    ╠══════════════════════════════════════════════════════════════════════════════╣
    ║ myTool1: Look a word up.                                                     ║
    ║ myTool2: Do nothing.                                                         ║
    ╚══════════════════════════════════════════════════════════════════════════════╝
    "
  `)

  expect(await workspace.deactivateSkill()).toMatchObject({
    ok: true,
    difference: { removed: ['myTool1', 'myTool2'] },
  })
  expect(workspace.isToolAvailable('myTool1')).toBe(false)
  expect(workspace.getToolSource('myTool1')).toBeNull()
  expect(workspace.renderSkillToolsSection()).toBeNull()
  expect(await workspace.callTool('myTool1', { word: 'owl' })).toMatchObject({
    ok: false,
    error: { type: 'UNAVAILABLE', details: { code: 'skill-inactive', owner: 'my-skill' } },
  })
  expect(changes).toHaveLength(2)
  expect(workspace.explain('myTool1')).toMatchInlineSnapshot(`
    {
      "because": [
        {
          "seq": 5,
          "text": "Skill "my-skill" was deactivated by the host.",
        },
      ],
      "fix": "Activate the skill "my-skill".",
      "kind": "tool",
      "name": "myTool1",
      "nearest": [],
      "needs": [],
      "outcomes": [
        "refuse",
      ],
      "owner": "my-skill",
      "source": "skill",
      "status": "skill-inactive",
    }
  `)
  expect((await workspace.entries()).map(({ event }) => event.type)).toMatchInlineSnapshot(`
    [
      "session.opened",
      "source.opened",
      "source.opened",
      "call.started",
      "call.ended",
      "source.closed",
      "command.refused",
    ]
  `)
  await workspace.close()
})
