import {
  createMemoryLog,
  defineTool,
  VirtualWorkspace,
  type Tool,
  type ToolContext,
  type ToolResponse,
} from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aSkill, aTool, aWorkspace, history } from './a-workspace.ts'

/** A tool that answers with what its handler makes of other tools. */
function calling(name: string, run: (context: ToolContext) => unknown, more: object = {}): Tool {
  return aTool(name, {
    ...more,
    execute: (_: unknown, context: ToolContext) => run(context),
  } as never)
}

const price = defineTool({
  name: 'price',
  description: 'Price of an order.',
  category: 'retrieval',
  inputSchema: z.object({ order: z.string() }),
  execute: ({ order }) => order.length,
})

test('a handler calls another tool through the gate, typed, with entries that name the outer call', async () => {
  const quote = defineTool({
    name: 'quote',
    description: 'Quote a price.',
    async execute(_, context: ToolContext) {
      const priced = await context.callTool(price, { order: 'abc' })
      return priced.ok ? priced.data * 2 : null
    },
  })
  const workspace = await aWorkspace({}, { tools: [price, quote] })
  expect(await workspace.callTool(quote, {}, { caller: 'model', call: 'm1' })).toMatchObject({
    data: 6,
  })
  const entries = await workspace.entries(2)
  expect(
    entries.map(({ cause, event }) => [
      event.type,
      'tool' in event ? event.tool : '',
      cause.by,
      'call' in cause ? cause.call : '',
    ]),
  ).toEqual([
    ['call.started', 'quote', 'model', 'm1'],
    ['call.started', 'price', 'tool', 'm1'],
    ['call.ended', 'price', 'tool', 'm1'],
    ['call.ended', 'quote', 'model', 'm1'],
  ])
  expect(entries[1]?.event).toMatchObject({ caller: 'tool', within: 'm1' })
  expect(
    workspace
      .explain('price')
      .because.map(({ text }) => text)
      .join(),
  ).not.toContain('model')
})

test.each<{ what: string; input: unknown; code: string; type: string }>([
  {
    what: 'arguments that are wrong',
    input: { order: 1 },
    code: 'input-invalid',
    type: 'VALIDATION',
  },
  {
    what: 'a budget that is spent',
    input: { order: 'a' },
    code: 'budget-spent',
    type: 'BUDGET_EXCEEDED',
  },
])('a call within another is refused as anyone’s for $what', async ({ input, code, type }) => {
  const outer = calling('outer', ({ callTool }) => callTool('price', input))
  const callsPerTurn = code === 'budget-spent' ? { retrieval: 0 } : {}
  const workspace = await aWorkspace({}, { tools: [price, outer], policy: { callsPerTurn } })
  expect(await workspace.callTool('outer', {})).toMatchObject({ ok: false, error: { type } })
  expect(await history(workspace, 2)).toEqual([
    'call.started global',
    `command.refused price (${code})`,
    'call.ended outer',
  ])
})

test('a tool of a skill that is not active is refused to a handler, too', async () => {
  const outer = calling('outer', ({ callTool }) => callTool('owls_tool', {}))
  const workspace = await aWorkspace({ skills: [aSkill('owls')], tools: [outer] })
  expect(await workspace.callTool('outer', {})).toMatchObject({
    error: { type: 'UNAVAILABLE', details: { code: 'skill-inactive' } },
  })
})

test('calls go four deep and no further, in a circle or not', async () => {
  const depths: number[] = []
  const circle = (name: string, other: string) =>
    calling(name, async ({ callTool }) => {
      depths.push(depths.length)
      return callTool(other, {})
    })
  const workspace = await aWorkspace(
    {},
    { tools: [circle('ping', 'pong'), circle('pong', 'ping')] },
  )
  expect(await workspace.callTool('ping', {})).toMatchObject({
    ok: false,
    error: {
      type: 'BUDGET_EXCEEDED',
      message: expect.stringContaining('"pong" was called within 5 other calls; the limit is 4.'),
      details: { code: 'too-deep', depth: 5, mostDepth: 4 },
    },
  })
  expect(depths).toHaveLength(5)
  expect(workspace.state.calls).toEqual([])
})

test('a handler that calls through the workspace itself has the same depth limit', async () => {
  let calls = 0
  const opened = Promise.withResolvers<VirtualWorkspace>()
  const round = calling('round', async () => {
    calls += 1
    return (await opened.promise).callTool('round', {})
  })
  const workspace = await aWorkspace({}, { tools: [round], limits: { depth: 1 } })
  opened.resolve(workspace)
  expect(await workspace.callTool('round', {})).toMatchObject({
    error: { details: { code: 'too-deep' } },
  })
  expect(calls).toBe(2)
})

test('no depth at all forbids calls within calls', async () => {
  const outer = calling('outer', ({ callTool }) => callTool('price', { order: 'a' }))
  const workspace = await aWorkspace({}, { tools: [outer, price], limits: { depth: 0 } })
  expect(await workspace.callTool('outer', {})).toMatchObject({
    error: { details: { code: 'too-deep' } },
  })
  expect(await workspace.callTool('price', { order: 'a' })).toMatchObject({ ok: true })
})

test('a question within a call is the handler’s to pass on, and holds for the same call again', async () => {
  let ran = 0
  const refund = aTool('refund', { requiresConfirmation: true, execute: () => (ran += 1) })
  const outer = calling('outer', ({ callTool }) => callTool('refund', {}))
  const workspace = await aWorkspace({}, { tools: [refund, outer] })
  const asked = await workspace.callTool('outer', {})
  expect(asked).toMatchObject({ ok: false, error: { type: 'CONFIRMATION_REQUIRED' } })
  const id = asked.ok ? '' : String(asked.error.details['confirmation'])
  expect(id).toBe(workspace.state.confirmations[0]?.id)
  expect(ran).toBe(0)
  await workspace.approve(id)
  expect(await workspace.callTool('outer', {})).toMatchObject({ ok: true, data: 1 })
  expect(await workspace.callTool('outer', {})).toMatchObject({
    error: { type: 'CONFIRMATION_REQUIRED' },
  })
  expect(ran).toBe(1)
})

test('what a call did not wait for is aborted when it has its answer', async () => {
  const aborted = Promise.withResolvers<unknown>()
  const slow = calling('slow', ({ signal }) => {
    signal.addEventListener('abort', () => aborted.resolve(signal.reason))
    return new Promise(() => {})
  })
  let inner: Promise<ToolResponse> | undefined
  const entered = Promise.withResolvers<void>()
  const hasty = calling('hasty', async ({ callTool }) => {
    inner = callTool('slow', {})
    await entered.promise
    return 'done'
  })
  const workspace = await aWorkspace({}, { tools: [slow, hasty] })
  const outer = workspace.callTool('hasty', {})
  await expect.poll(() => workspace.state.calls.length).toBe(2)
  entered.resolve()
  expect(await outer).toMatchObject({ ok: true, data: 'done' })
  expect(String(await aborted.promise)).toContain(
    'The call of "hasty" that made this one has ended.',
  )
  expect(await inner).toMatchObject({ error: { type: 'ABORTED' } })
})

test('the time limit of the outer call ends those within', async () => {
  const hanging = calling('hanging', () => new Promise(() => {}))
  const answers: ToolResponse[] = []
  const outer = calling(
    'outer',
    async ({ callTool }) => {
      answers.push(await callTool('hanging', {}))
      return null
    },
    { timeoutMs: 30 },
  )
  const workspace = await aWorkspace({}, { tools: [hanging, outer] })
  expect(await workspace.callTool('outer', {})).toMatchObject({ error: { type: 'TIMEOUT' } })
  await expect.poll(() => answers).toMatchObject([{ error: { type: 'ABORTED' } }])
  expect(workspace.state.calls).toEqual([])
})

test('a handler whose call is over calls nothing any more', async () => {
  let late: ToolContext | undefined
  let ran = 0
  const outer = calling('outer', (context) => {
    late = context
    return 1
  })
  const workspace = await aWorkspace(
    {},
    { tools: [outer, aTool('count', { execute: () => (ran += 1) })] },
  )
  await workspace.callTool('outer', {})
  expect(await late?.callTool('count', {})).toMatchObject({
    ok: false,
    error: { type: 'UNAVAILABLE', details: { code: 'call-over' } },
  })
  expect(ran).toBe(0)
  expect(await history(workspace, 4)).toEqual(['command.refused count (call-over)'])
})

test('a handler may deactivate its own skill and continue, without waiting for itself', async () => {
  const leave = calling('leave', async ({ callTool }) => {
    const left = await callTool('unloadSkill', { skillName: 'owls' })
    const then = await callTool('price', { order: 'ab' })
    return [left.ok, then.ok && then.data]
  })
  const workspace = await aWorkspace(
    { skills: [aSkill('owls', { tools: [leave] })], tools: [price] },
    { metaTools: ['unloadSkill'] },
  )
  await workspace.activateSkill('owls')
  expect(await workspace.callTool('leave', {})).toMatchObject({ ok: true, data: [true, 2] })
})

test('a skill for one use is spent by the call it is used in', async () => {
  const once = calling('once', ({ callTool }) => callTool('other', {}))
  const skill = aSkill('single', { lifetime: { uses: 1 }, tools: [once, aTool('other')] })
  const workspace = await aWorkspace({ skills: [skill] })
  await workspace.activateSkill('single')
  expect(await workspace.callTool('once', {})).toMatchObject({
    error: { type: 'BUDGET_EXCEEDED', details: { code: 'budget-spent' } },
  })
  expect(workspace.skillManager.getActiveSkills()).toEqual([])
})

test('many calls within one run at once, and each is counted', async () => {
  const outer = calling('outer', async ({ callTool }) => {
    const orders = Array.from({ length: 20 }, (_, index) => ({ order: 'x'.repeat(index) }))
    const answers = await Promise.all(orders.map((order) => callTool('price', order)))
    return answers.map((one) => (one.ok ? one.data : null))
  })
  const workspace = await aWorkspace(
    {},
    { tools: [outer, price], policy: { callsPerTurn: { retrieval: 50 } } },
  )
  expect(await workspace.callTool('outer', {})).toMatchObject({
    data: Array.from({ length: 20 }, (_, index) => index),
  })
  expect(workspace.state.callsThisTurn.retrieval).toBe(20)
})

test('another process reads the same nested calls from the log', async () => {
  const log = createMemoryLog()
  const outer = calling('outer', ({ callTool }) => callTool('price', { order: 'abc' }))
  const workspace = await aWorkspace({}, { tools: [outer, price], log })
  await workspace.callTool('outer', {}, { call: 'o1' })
  const { catalog, session } = workspace
  const again = await VirtualWorkspace.open({ catalog, session, log, readOnly: true })
  const within = (await again.entries()).flatMap(({ event }) =>
    event.type === 'call.started' && event.within === 'o1' ? event.call : [],
  )
  expect(await again.calls.report(within[0] ?? '')).toMatchObject({
    tool: 'price',
    caller: 'tool',
    within: 'o1',
    status: 'done',
    result: null,
  })
})
