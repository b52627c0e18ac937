import { createCatalog, createMemoryLog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { describeEvent } from '../../src/engine/explain/describe-event.ts'
import { nameHistory } from '../../src/engine/explain/name-history.ts'

const count = defineTool({
  name: 'count_items',
  description: 'Counts items.',
  inputSchema: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] },
  execute: () => ({ items: 3 }),
})
const send = defineTool({
  name: 'send_report',
  description: 'Sends a report.',
  inputSchema: { type: 'object', properties: {} },
  execute: () => null,
})
const stock = defineSkill({ name: 'stock', description: 'Counts the stock.', tools: [count, send] })

async function open() {
  const catalog = await createCatalog({ skills: [stock] })
  return VirtualWorkspace.open({ catalog, policy: { permissions: { deny: ['send_report'] } } })
}

test('the history of a tool has the requests that showed it, its calls, and the turns that passed it over', async () => {
  const workspace = await open()
  await workspace.beginTurn()
  await workspace.beginStep()
  await workspace.activateSkill('stock')
  await workspace.beginStep()
  await workspace.callTool('count_items', { kind: 'bolts' }, { caller: 'model' })
  await workspace.callTool('count_items', { kind: 7 }, { caller: 'model' })
  await workspace.beginStep()
  await workspace.beginTurn()
  await workspace.beginStep()
  const { requests, shown, events, passedOver } = await workspace.history('count_items')
  expect(requests).toBe(4)
  expect(shown).toMatchObject({ whole: [[2, 4]], nameOnly: [], last: { place: 4, of: 4 } })
  expect(
    events.map(({ step, text }) => [step, text.replaceAll(/[\d.]+ ms|\([^)]*\)/g, '_')]),
  ).toEqual([
    [2, '"count_items" called _'],
    [2, '"count_items" answered after _ _'],
    [2, expect.stringMatching(/^REFUSED .*"count_items" _: /u)],
  ])
  expect(passedOver).toEqual([{ turn: 2, said: null, used: [] }])
})

test('a tool that no request showed, and whose call was refused, is not said to be sent', async () => {
  const workspace = await open()
  await workspace.activateSkill('stock')
  await workspace.beginTurn()
  await workspace.beginStep()
  await workspace.callTool('send_report', {}, { caller: 'model' })
  const { shown, events, passedOver } = await workspace.history('send_report')
  expect(shown).toEqual({ whole: [], nameOnly: [], last: null })
  expect(events).toHaveLength(1)
  expect(events[0]?.text).toMatch(/REFUSED/u)
  expect(passedOver).toEqual([])
})

test('the log of a session of Loadout does not say which requests listed a skill', async () => {
  const workspace = await open()
  await workspace.beginTurn()
  await workspace.beginStep()
  await workspace.activateSkill('stock')
  const { shown, events } = await workspace.history('stock')
  expect(shown).toBeNull()
  expect(events.map(({ text }) => text)).toEqual(['skill "stock" activated, with 2 tools'])
})

test('histories that are read while a session goes on are those of a reader that comes then', async () => {
  const log = createMemoryLog()
  const catalog = await createCatalog({ skills: [stock] })
  const workspace = await VirtualWorkspace.open({ catalog, log, session: 's' })
  const moments: number[] = []
  const same = async () => {
    const fresh = await workspace.sessions.look(workspace.state.seq)
    for (const name of ['count_items', 'send_report', 'stock'])
      expect(await workspace.history(name)).toEqual(await fresh.history(name))
    moments.push((await workspace.history('count_items')).events.length)
  }
  await same()
  for (let turn = 0; turn < 3; turn += 1) {
    await workspace.beginTurn()
    await workspace.activateSkill('stock')
    await workspace.beginStep()
    await same()
    await workspace.callTool('count_items', { kind: 'bolts' }, { caller: 'model' })
    await same()
    await workspace.deactivateSkill('stock')
    await same()
  }
  expect(moments).toEqual([0, 0, 2, 2, 2, 4, 4, 4, 6, 6])
})

test('a name that nothing has has no history', async () => {
  const workspace = await open()
  await workspace.beginTurn()
  await workspace.beginStep()
  const { events, passedOver } = await workspace.history('nothing')
  expect([events, passedOver]).toEqual([[], []])
})

test('an attempt is shown as one, with what was given up, and so is an action that ran twice', async () => {
  const log = createMemoryLog()
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    category: 'action',
    execute: () => new Promise<string>(() => {}),
  })
  const done = { ...pay, execute: () => 'paid' }
  const history = [{ role: 'user' as const, content: 'Pay.' }]
  const call = async (tool: typeof pay, id: string) => {
    const catalog = await createCatalog({ tools: [tool] })
    const workspace = await VirtualWorkspace.open({ catalog, log, session: 's', onlyProcess: true })
    await workspace.beginTurn()
    await workspace.beginStep({ history, run: { engine: 'dbos', id: 'wf-1' } })
    return { workspace, ended: workspace.callTool('pay', {}, { caller: 'model', call: id }) }
  }
  const first = await call(pay, 'c1')
  while (first.workspace.state.calls.length === 0) await new Promise(setImmediate)
  const second = await call(done, 'c2')
  await second.ended
  await second.workspace.callTool('pay', {}, { caller: 'model', call: 'c3' })
  const entries = await log.read('s')
  const { events, repeated } = nameHistory('tool', new Set(['pay']), entries, new Map())
  expect(events.map(({ step, attempt, text }) => [step, attempt?.number ?? 1, text])).toEqual([
    [1, 1, '"pay" called (c1)'],
    [1, 1, 'ABANDONED "pay": the process that ran it is gone (c1)'],
    [2, 2, '"pay" called (c2)'],
    [2, 2, expect.stringMatching(/^"pay" answered/u)],
    [2, 2, '"pay" called (c3)'],
    [2, 2, expect.stringMatching(/^"pay" answered/u)],
  ])
  expect(repeated).toMatchObject([{ turn: 2, entries: [expect.any(Number), expect.any(Number)] }])
  const begun = entries
    .map(({ event }) => describeEvent(event))
    .filter((text) => text.includes('began'))
  expect(begun.at(-1)).toContain('step 2 began, attempt 2 at step 1, dbos wf-1')
})
