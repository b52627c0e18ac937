import {
  createCatalog,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'

const schema = z.object({
  queries: z.array(z.string()),
  limit: z.number().optional(),
  deep: z.boolean().optional(),
  filter: z.object({ from: z.int().optional(), tags: z.array(z.string()).optional() }).optional(),
  note: z.string().optional(),
})

async function opened(options: Partial<WorkspaceOptions> = {}, repairArguments?: boolean) {
  const search = defineTool({
    name: 'search',
    description: 'Search.',
    category: 'retrieval',
    inputSchema: schema,
    execute: (given) => given,
    ...(repairArguments !== undefined && { repairArguments }),
  })
  const skill = defineSkill({ name: 'pdf', description: 'PDF files.', tools: [] })
  const catalog = await createCatalog({ tools: [search], skills: [skill] })
  return VirtualWorkspace.open({ catalog, ...options })
}

const byModel = (call: string) => ({ caller: 'model', call }) as const

const repairs = async (workspace: VirtualWorkspace) =>
  (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'call.started' ? (event.repaired ?? []) : [],
  )

test.each<[string, unknown, unknown, readonly string[]]>([
  ['a list', { queries: '["a"]' }, { queries: ['a'] }, ['/queries: a list instead of its text']],
  [
    'numbers and a yes',
    { queries: [], limit: ' 5 ', deep: 'true' },
    { queries: [], limit: 5, deep: true },
    ['/limit: a number instead of its text', '/deep: a boolean instead of its text'],
  ],
  ['null', { queries: [], limit: null }, { queries: [] }, ['/limit: left out instead of null']],
  [
    'an object with a list in it',
    { queries: [], filter: '{"from":"3","tags":"[\\"x\\"]"}' },
    { queries: [], filter: { from: 3, tags: ['x'] } },
    [
      '/filter: an object instead of its text',
      '/filter/from: a number instead of its text',
      '/filter/tags: a list instead of its text',
    ],
  ],
])('with the option, arguments are repaired: %s', async (_, given, wanted, made) => {
  const workspace = await opened({ repairArguments: true })
  expect(await workspace.callTool('search', given, byModel('c'))).toMatchObject({ data: wanted })
  expect(await repairs(workspace)).toEqual(made)
})

test.each<[string, unknown]>([
  ['broken JSON', { queries: '["a"' }],
  ['the text of another type', { queries: '{"a":1}' }],
  ['a word for a number', { queries: [], limit: 'five' }],
  ['half a number for a whole one', { queries: [], filter: { from: '1.5' } }],
  ['null for what must be there', { queries: null }],
  ['an unknown member', { queries: [], other: 1 }],
])('what does not fit after a repair is refused as before: %s', async (_, given) => {
  const [on, off] = [await opened({ repairArguments: true }), await opened()]
  const refused = await on.callTool('search', given, byModel('c'))
  expect(refused).toMatchObject({ ok: false, error: { type: 'VALIDATION' } })
  const before = await off.callTool('search', given, byModel('c'))
  expect(refused.ok || refused.error).toEqual(before.ok || before.error)
})

test('arguments that fit stay as they are, also texts that look like JSON', async () => {
  const workspace = await opened({ repairArguments: true })
  const given = { queries: ['["a"]'], note: '5' }
  expect(await workspace.callTool('search', given, byModel('c'))).toMatchObject({ data: given })
  expect(await repairs(workspace)).toEqual([])
})

test('a tool decides for itself, and without an option nothing is repaired', async () => {
  const given = { queries: '["a"]' }
  const call = async (workspace: VirtualWorkspace) =>
    (await workspace.callTool('search', given, byModel('c'))).ok
  expect(await call(await opened())).toBe(false)
  expect(await call(await opened({ repairArguments: true }, false))).toBe(false)
  expect(await call(await opened({}, true))).toBe(true)
})

test('a skill is meant by its name or id', async () => {
  const workspace = await opened({ repairArguments: true })
  expect(await workspace.callTool('loadSkill', { name: 'pdf' }, byModel('c'))).toMatchObject({
    ok: true,
  })
  expect(await repairs(workspace)).toEqual(['/skillName: named "name"'])
})

test.each([[{ queries: '["secret"]' }], [{ 'queries.0': 'secret' }]])(
  'a rule judges the arguments as they were given and as they were repaired: %j',
  async (where) => {
    const policy = { permissions: { deny: [{ tool: 'search', where }] } }
    const workspace = await opened({ repairArguments: true, policy })
    const refused = await workspace.callTool('search', { queries: '["secret"]' }, byModel('c'))
    expect(refused).toMatchObject({ ok: false, error: { type: 'DENIED' } })
  },
)
