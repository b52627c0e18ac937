import { createCatalog, defineComponent, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'

const tool = (name: string, version = '1.0.0') =>
  defineTool({ name, version, description: `Does ${name}.`, execute: () => name })

test('a global tool whose name is taken stays out, and the others come in', async () => {
  const notes = defineComponent({
    key: 'notes',
    initialState: null,
    tools: [tool('note')],
    panel: () => ({ title: 'Notes', lines: [] }),
  })
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ components: [notes] }),
    tools: [tool('clock'), tool('note', '2.0.0'), tool('dice')],
  })
  expect(workspace.getAvailableTools().map(({ name }) => name)).toEqual(['note', 'clock', 'dice'])
  expect(workspace.getToolSource('note')).toEqual({ source: 'component', owner: 'notes' })
  expect(workspace.notices).toMatchObject([{ code: 'tool-name-taken' }])
})

test('meta-tools neither use up the budget of a turn nor are stopped by it', async () => {
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ skills: [defineSkill({ name: 'a', description: 'A.' })] }),
    tools: [tool('clock')],
    policy: { callsPerTurn: { action: 1 } },
  })
  expect(await workspace.callTool('loadSkill', { skillName: 'a' })).toMatchObject({ ok: true })
  expect(await workspace.callTool('clock', {})).toMatchObject({ ok: true })
  expect(workspace.explain('clock').status).toBe('budget-spent')
  expect(await workspace.callTool('unloadSkill', { skillName: 'a' })).toMatchObject({ ok: true })
})

test.each([
  ['a meta-tool there is none of', { metaTools: ['loadSkil' as 'loadSkill'] }, 'META_TOOL_UNKNOWN'],
  ['a blank session', { session: ' ' }, 'SESSION_INVALID'],
  ['a time for hooks that is none', { hookTimeoutMs: Number.NaN }, 'OPTIONS_INVALID'],
  ['snapshots after no entries', { snapshotEvery: 0 }, 'OPTIONS_INVALID'],
])('%s is refused when opening', async (_, options, code) => {
  const catalog = await createCatalog({ skills: [defineSkill({ name: 'a', description: 'A.' })] })
  await expect(VirtualWorkspace.open({ catalog, ...options })).rejects.toMatchObject({ code })
})
