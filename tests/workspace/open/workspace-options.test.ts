import { expect, test } from 'vitest'
import { createCatalog } from '../../../src/catalog/create/create-catalog.ts'
import { defineTool } from '../../../src/tools/define-tool.ts'
import { createMemoryLog } from '../../../src/workspace/log/memory-log.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'

const catalog = await createCatalog({ skills: [] })
const open = (options: unknown) => VirtualWorkspace.open(options as { catalog: typeof catalog })

test.each<{ options: object; code: string; hint: string }>([
  { options: { permissions: {} }, code: 'OPTIONS_INVALID', hint: 'policy.permissions' },
  { options: { clock: {} }, code: 'OPTIONS_INVALID', hint: 'testing.clock' },
  { options: { sesion: 's' }, code: 'OPTIONS_INVALID', hint: 'session' },
  { options: { session: 5 }, code: 'OPTIONS_INVALID', hint: 'leave it out' },
  { options: { policy: 'voice' }, code: 'OPTIONS_INVALID', hint: 'mode' },
  { options: { policy: null }, code: 'OPTIONS_INVALID', hint: 'mode' },
  { options: { policy: { permisions: {} } }, code: 'OPTIONS_INVALID', hint: 'permissions' },
  { options: { policy: { permissions: { deney: [] } } }, code: 'POLICY_INVALID', hint: 'deny' },
  {
    options: { policy: { permissions: JSON.parse(JSON.stringify({ places: new Map() })) } },
    code: 'POLICY_INVALID',
    hint: 'leave them out',
  },
  { options: { policy: { permissions: ['x'] } }, code: 'POLICY_INVALID', hint: 'deny' },
  { options: { testing: { clok: {} } }, code: 'OPTIONS_INVALID', hint: 'clock' },
  { options: { limits: { hookTimeout: 5 } }, code: 'LIMITS_INVALID', hint: 'hookTimeoutMs' },
  { options: { limits: [] }, code: 'LIMITS_INVALID', hint: '' },
  { options: { limits: null }, code: 'LIMITS_INVALID', hint: '' },
  { options: { tools: [{ name: 'raw' }] }, code: 'TOOL_INVALID', hint: 'defineTool' },
])('$options is refused: $code', async ({ options, code, hint }) => {
  await expect(open({ catalog, ...options })).rejects.toMatchObject({
    code,
    hint: expect.stringContaining(hint),
  })
})

test.each([undefined, null, {}, 'catalog'])(
  '%o is refused: a catalog is required',
  async (given) => {
    await expect(open(given)).rejects.toMatchObject({
      code: 'OPTIONS_INVALID',
      hint: expect.stringContaining('createCatalog'),
    })
  },
)

test('a tool that no defineTool made is refused, and nothing is registered', async () => {
  const raw = { name: 'raw', description: 'R.', inputSchema: { type: 'object' }, execute: () => 1 }
  await expect(createCatalog({ tools: [raw as never] })).rejects.toMatchObject({
    code: 'TOOL_INVALID',
  })
  const log = createMemoryLog()
  const workspace = await VirtualWorkspace.open({ catalog, log, session: 's' })
  const entries = await log.read('s')
  await expect(async () => workspace.registerTool(raw as never)).rejects.toMatchObject({
    code: 'TOOL_INVALID',
  })
  expect(await log.read('s')).toEqual(entries)
})

test('what looks never writes, whatever entry it is given', async () => {
  const tool = defineTool({ name: 't', description: 'T.', execute: () => 1 })
  const workspace = await VirtualWorkspace.open({ catalog, tools: [tool] })
  const looking = await workspace.sessions.look(undefined as never)
  await expect(
    (looking as unknown as VirtualWorkspace).setSummary('Something.'),
  ).rejects.toMatchObject({
    code: 'READ_ONLY',
  })
})
