import { createMemoryLog, type VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { fold } from '../../src/engine/evolve/evolve.ts'
import { aTool, aWorkspace } from './a-workspace.ts'

const input = { inputSchema: { type: 'object', properties: { x: { type: 'number' } } } } as const
const tools = [
  aTool('read', { category: 'retrieval', ...input }),
  aTool('write', { category: 'action', ...input }),
  aTool('check', { category: 'retrieval', polling: true, ...input }),
]

async function times(
  workspace: VirtualWorkspace,
  tool: string,
  given: object = {},
  caller: 'model' | 'host' = 'model',
): Promise<number> {
  for (let ran = 0; ran < 8; ran += 1) {
    const response = await workspace.callTool(tool, given, { caller })
    if (response.ok) continue
    expect(response.error).toMatchObject({
      type: 'BUDGET_EXCEEDED',
      details: { code: 'call-repeated', tool },
    })
    return ran
  }
  return 8
}

async function inATurn(options: Parameters<typeof aWorkspace>[1] = {}): Promise<VirtualWorkspace> {
  const policy = { callsPerTurn: {} }
  const workspace = await aWorkspace({ tools }, { policy, ...options })
  await workspace.beginTurn()
  return workspace
}

test('the fourth call of the model with the same arguments in a turn is refused', async () => {
  const workspace = await inATurn()
  expect(await times(workspace, 'read')).toBe(3)
  expect(await times(workspace, 'read', { x: 1 })).toBe(3)
  expect(await times(workspace, 'write', { x: 1 })).toBe(3)
  await workspace.beginTurn()
  expect(await times(workspace, 'read')).toBe(3)
})

test('a host may call as often as it likes, and a tool for polling may be called again and again', async () => {
  const workspace = await inATurn()
  expect(await times(workspace, 'read', {}, 'host')).toBe(8)
  expect(await times(workspace, 'check')).toBe(8)
})

test('a session says how often by its limits', async () => {
  expect(await times(await inATurn({ limits: { sameCalls: 5 } }), 'read')).toBe(5)
})

test('a call may be made again after something changed', async () => {
  const workspace = await inATurn()
  expect(await times(workspace, 'read')).toBe(3)
  await workspace.callTool('write', { x: 1 }, { caller: 'model' })
  expect(await times(workspace, 'read')).toBe(3)
  await workspace.setToolEnabled('write', false)
  expect(await times(workspace, 'read')).toBe(3)
})

test('another process, and a replay, count the same calls', async () => {
  const log = createMemoryLog()
  const here = await inATurn({ log, session: 's' })
  await here.callTool('read', {}, { caller: 'model' })
  await here.callTool('read', {}, { caller: 'model' })
  const there = await aWorkspace({ tools }, { log, session: 's' })
  expect(await times(there, 'read')).toBe(1)
  await here.setSummary('Read.')
  expect(await times(here, 'read')).toBe(0)
  expect(fold(await here.entries()).sameCalls).toEqual(here.state.sameCalls)
})
