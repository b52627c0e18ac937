import { createMemoryLog, succeed, type VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { fold } from '../../src/engine/evolve/evolve.ts'
import { aTool, aWorkspace } from './a-workspace.ts'

const inputSchema = { type: 'object', properties: { x: { type: 'number' } } } as const

/** Calls a tool with other arguments each time, until a call is refused. */
async function ranBefore(workspace: VirtualWorkspace, tool: string): Promise<number> {
  for (let ran = 0; ran < 12; ran += 1) {
    const response = await workspace.callTool(tool, { x: Math.random() }, { caller: 'model' })
    if (response.ok) continue
    expect(response.error).toMatchObject({
      type: 'BUDGET_EXCEEDED',
      details: { code: 'results-empty', tool },
    })
    return ran
  }
  return 12
}

async function inATurn(
  value: () => unknown,
  more: Parameters<typeof aTool>[1] = {},
  options: Parameters<typeof aWorkspace>[1] = {},
): Promise<VirtualWorkspace> {
  const find = aTool('find', { category: 'retrieval', inputSchema, execute: value, ...more })
  const write = aTool('write', { category: 'action', inputSchema, execute: () => null })
  const policy = { callsPerTurn: {} }
  const workspace = await aWorkspace({ tools: [find, write] }, { policy, ...options })
  await workspace.beginTurn()
  return workspace
}

test.each<[string, unknown]>([
  ['null', null],
  ['no text', ' \n'],
  ['no items', []],
  ['an object without members', {}],
  ['lists without items in an object', { items: [], total: 0, more: { rows: [] }, next: null }],
  ['the same as JSON text', '{"items":[],"total":0}'],
  ['parts without text', succeed({ isError: false }, { content: [{ type: 'text', text: '' }] })],
])('the sixth call in a row that finds nothing is refused: %s', async (_, value) => {
  const workspace = await inATurn(() => value)
  expect(await ranBefore(workspace, 'find')).toBe(5)
  await workspace.beginTurn()
  expect(await ranBefore(workspace, 'find')).toBe(5)
})

test.each<[string, unknown]>([
  ['zero', 0],
  ['false', false],
  ['a number in an object', { count: 0 }],
  ['a text', 'Nothing was found.'],
  [
    'an image',
    succeed(null, { content: [{ type: 'image', mediaType: 'image/png', data: 'AA==' }] }),
  ],
])('a result that says something is not empty: %s', async (_, value) => {
  expect(await ranBefore(await inATurn(() => value), 'find')).toBe(12)
})

test('one result ends the run, and so does an action', async () => {
  let calls = 0
  const workspace = await inATurn(() => ((calls += 1) === 4 ? ['x'] : []))
  expect(await ranBefore(workspace, 'find')).toBe(9)
  await workspace.callTool('write', { x: 1 }, { caller: 'model' })
  expect(await ranBefore(workspace, 'find')).toBe(5)
})

test('actions, tools for polling and other limits', async () => {
  expect(await ranBefore(await inATurn(() => null), 'write')).toBe(12)
  expect(await ranBefore(await inATurn(() => [], { polling: true }), 'find')).toBe(12)
  const limits = { emptyResults: 2 }
  expect(await ranBefore(await inATurn(() => [], {}, { limits }), 'find')).toBe(2)
})

test('the log gives the same state again', async () => {
  const log = createMemoryLog()
  const workspace = await inATurn(() => [], {}, { log, session: 's' })
  await ranBefore(workspace, 'find')
  expect(workspace.state.emptyCalls).toEqual([{ tool: 'find', owner: 'global', times: 5 }])
  expect(fold(await log.read('s')).emptyCalls).toEqual(workspace.state.emptyCalls)
})
