import { createCatalog, defineAgent, defineSkill, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { aTool } from './a-workspace.ts'
import { MemoryServer } from './servers/a-server.ts'

const tools = ['Write', 'Edit', 'Read', 'run_shell_command'].map((name) => aTool(name))

const skill = (disallowedTools: readonly string[], more: object = {}) =>
  defineSkill({ name: 'audit', description: 'Audits.', disallowedTools, ...more })

async function opened(entries: readonly string[], more: object = {}) {
  const server = new MemoryServer('shop', [aTool('shop_find'), aTool('shop_delete')])
  const skills = [skill(entries), defineSkill({ name: 'other', description: 'Others.' })]
  const catalog = await createCatalog({ skills, tools, servers: [server] })
  const workspace = await VirtualWorkspace.open({ catalog, ...more })
  await workspace.attach(server)
  const callable = async () => {
    const names = [...tools.map(({ name }) => name), 'shop_find', 'shop_delete']
    const calls = names.map(async (name) => {
      const { ok } = await workspace.callTool(name, {}, { caller: 'model' })
      return ok ? [name] : []
    })
    return (await Promise.all(calls)).flat()
  }
  return { workspace, callable }
}

const ALL = ['Write', 'Edit', 'Read', 'run_shell_command', 'shop_find', 'shop_delete']

test.each([
  [
    ['Write', 'Edit'],
    ['Write', 'Edit'],
  ],
  [['Bash'], ['run_shell_command']],
  [['Bash(rm:*)'], ['run_shell_command']],
  [['mcp__shop'], ['shop_find', 'shop_delete']],
  [['mcp__shop__delete'], ['shop_delete']],
  [['mcp__shop__*'], ['shop_find', 'shop_delete']],
  [['*'], ALL],
])('while a skill is active, %j takes away %j', async (entries, taken) => {
  const { workspace, callable } = await opened(entries)
  expect(await callable()).toEqual(ALL)
  await workspace.activateSkill('audit')
  await workspace.activateSkill('other')
  expect(await callable()).toEqual(ALL.filter((name) => !taken.includes(name)))
  expect(workspace.getAvailableTools().map(({ name }) => name)).toContain('unloadSkill')
  await workspace.deactivateSkill('audit')
  expect(await callable()).toEqual(ALL)
  await workspace.close()
})

test('no rule gives back what a skill takes away, and the reason names the skill', async () => {
  const policy = { permissions: { allow: ['*'], allowedTools: 'pre-approve' as const } }
  const { workspace } = await opened(['Write'], { policy })
  await workspace.activateSkill('audit')
  expect(workspace.explain('Write')).toMatchObject({
    status: 'denied',
    because: expect.arrayContaining([
      expect.objectContaining({
        text: 'Skill "audit" takes it away while it is active, by its disallowed-tools: Write.',
      }),
    ]),
    fix: 'Deactivate "audit".',
  })
  expect(await workspace.callTool('Write', {})).toMatchObject({
    ok: false,
    error: { type: 'DENIED' },
  })
  await workspace.close()
})

test('what an agent may not use is taken away from its sessions', async () => {
  const agent = defineAgent({
    name: 'reader',
    tools: ['Write', 'Read', 'run_shell_command'],
    disallowedTools: ['Write', 'Bash(git:*)'],
  })
  const { workspace, callable } = await opened([], { agent })
  expect(await callable()).toEqual(['Read'])
  expect(workspace.explain('Write')).toMatchObject({
    status: 'not-exposed',
    because: expect.arrayContaining([
      expect.objectContaining({
        text: 'Agent "reader" takes it away, by its disallowedTools: Write.',
      }),
    ]),
    fix: 'Remove "Write" from the agent.',
  })
  await workspace.close()
})

test('the hash of a skill covers what it takes away, and that of one that takes nothing is as before', () => {
  const plain = defineSkill({ name: 'audit', description: 'Audits.' })
  expect(skill([]).hash).toBe(plain.hash)
  expect(skill(['Write']).hash).not.toBe(plain.hash)
})
