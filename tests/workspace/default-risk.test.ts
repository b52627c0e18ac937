import { createCatalog, createMemoryLog, ToolError, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { buildManifest } from '../../src/catalog/manifest/build-manifest.ts'
import { catalogFromManifest } from '../../src/catalog/manifest/catalog-from-manifest.ts'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

type Caller = 'model' | 'host' | 'user'

async function code(
  workspace: VirtualWorkspace,
  tool: string,
  caller: Caller = 'model',
): Promise<unknown> {
  const response = await workspace.callTool(tool, {}, { caller })
  return response.ok ? 'ran' : response.error.details['code']
}

const ASKED = 'confirmation-required'
const wipe = aTool('wipe', { risk: 'destructive' })

test('a tool without a category that fails runs once', async () => {
  let runs = 0
  const mail = aTool('send_email', {
    execute: () => {
      runs += 1
      throw new ToolError('TRANSIENT', 'The server is busy.')
    },
  })
  const workspace = await aWorkspace({ tools: [mail] })
  expect(await workspace.callTool('send_email', {})).toMatchObject({ ok: false })
  expect(runs).toBe(1)
})

test.each<[Caller, string]>([
  ['model', ASKED],
  ['host', 'ran'],
  ['user', 'ran'],
])('a call of a destructive tool by the %s: %s', async (caller, expected) => {
  const workspace = await aWorkspace({ tools: [wipe] })
  expect(workspace.approvals.asksFirst('wipe')).toBe(true)
  expect(await workspace.approvals.asksAbout('wipe', {})).toBe(true)
  expect(workspace.explain('wipe').because.at(-1)?.text).toBe(
    'It is destructive, so it asks a person before a call of the model, unless a rule allows it.',
  )
  expect(await code(workspace, 'wipe', caller)).toBe(expected)
})

test('a destructive tool that the host allows runs without asking', async () => {
  const policy = { permissions: { allow: ['wipe'] } }
  const workspace = await aWorkspace({ tools: [wipe] }, { policy })
  expect(workspace.approvals.asksFirst('wipe')).toBe(false)
  expect(await code(workspace, 'wipe')).toBe('ran')
})

test('a skill that names a destructive tool in allowed-tools does not allow it', async () => {
  const skill = aSkill('cleaning', { tools: [wipe], permissions: ['wipe'] })
  const policy = { permissions: { allowedTools: 'pre-approve' } } as const
  const workspace = await aWorkspace({ skills: [skill] }, { policy })
  await workspace.activateSkill('cleaning')
  expect(workspace.approvals.asksFirst('wipe')).toBe(true)
  expect(await code(workspace, 'wipe')).toBe(ASKED)
})

test('a destructive tool that a handler calls asks when the model called the handler', async () => {
  const outer = aTool('outer', { execute: (_: unknown, { callTool }) => callTool('wipe', {}) })
  const workspace = await aWorkspace({ tools: [wipe, outer] })
  expect(await code(workspace, 'outer')).toBe(ASKED)
  expect(await code(workspace, 'outer', 'host')).toBe('ran')
})

test('a rule about risk sees a tool without a category as moderate', async () => {
  const policy = { permissions: { ask: [{ risk: 'moderate' }] } } as const
  const workspace = await aWorkspace({ tools: [aTool('anything')] }, { policy })
  expect(await code(workspace, 'anything')).toBe(ASKED)
})

test('a manifest and a log keep that a tool has no category', async () => {
  const catalog = await createCatalog({ tools: [aTool('anything')] })
  const manifest = buildManifest(catalog, {
    tokenizer: 'none',
    pathOf: (path) => path,
    handlerOf: () => undefined,
    tokensOf: () => ({ total: 0, texts: {} }),
  })
  const read = await catalogFromManifest(JSON.parse(JSON.stringify(manifest)))
  const action = { category: 'action', risk: 'moderate', idempotent: false }
  expect(read.globalTools).toMatchObject([action])
  expect(read.hash).toBe(catalog.hash)
  const log = createMemoryLog()
  await VirtualWorkspace.open({ catalog, log, session: 's', metaTools: [] })
  const elsewhere = { catalog: await createCatalog({}), log, session: 's' }
  const viewer = await VirtualWorkspace.open({ ...elsewhere, readOnly: true })
  expect(viewer.tools()).toMatchObject([{ name: 'anything', tool: action }])
})
