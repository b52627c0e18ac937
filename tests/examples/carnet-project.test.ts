import { expect, test, vi } from 'vitest'
import { loadCarnet } from 'loadout/node'
import manifest from '../../examples/carnet-project/carnet/carnet.manifest.json' with { type: 'json' }

test('a Carnet project that changed one import loads skills and calls its tools', async () => {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  await import('../../examples/carnet-project/main.ts')
  log.mockRestore()
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "offered: loadSkill, loadSkillFile, findOrder
    offered: loadSkill, loadSkillFile, findOrder
    offered: loadSkill, loadSkillFile, findOrder
    Order 7 was paid on 2 November; refunds are at hand now.
    offered: loadSkill, loadSkillFile, findOrder, payBack
    offered: loadSkill, loadSkillFile, findOrder, payBack
    offered: loadSkill, loadSkillFile, findOrder, payBack
    Order 7 was paid back.
    loaded: orders, refunds
    warnings: 
    another user: Activate the skill "refunds"."
  `)
})

test('its folders and the manifest that was built of them hold the same', async () => {
  const folder = new URL('../../examples/carnet-project', import.meta.url).pathname
  const { skills, agents, diagnostics } = await loadCarnet(folder)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(skills.map(({ name }) => name).sort()).toEqual(Object.keys(manifest.skills).sort())
  expect(agents.map(({ name }) => name)).toEqual(Object.keys(manifest.agents))
})
