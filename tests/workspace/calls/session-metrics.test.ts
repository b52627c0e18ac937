import {
  collectMetrics,
  createMemoryLog,
  defineIntent,
  ToolError,
  type SessionMetrics,
  type Tool,
  type VirtualWorkspace,
} from 'loadout'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { percentiles } from '../../../src/workspace/calls/session-metrics.ts'
import { aSkill, aTool, aWorkspace } from '../a-workspace.ts'

/** A clock whose handlers take as long as they say. */
function aClock() {
  let now = 0
  const taking = (name: string, ms: number, more: object = {}): Tool =>
    aTool(name, {
      execute: () => {
        now += ms
        return name
      },
      ...more,
    })
  return { clock: { now: () => now, monotonic: () => now }, taking }
}

const failing = (name: string, type: 'PERMANENT' | 'TRANSIENT' | 'CONFLICT') =>
  aTool(name, {
    execute: () => {
      throw new ToolError(type, 'no', { retryable: false })
    },
  })

const toolOf = ({ tools }: SessionMetrics, name: string) => tools.find(({ tool }) => tool === name)

test('calls are counted by tool, skill and source', async () => {
  const workspace = await aWorkspace(
    { skills: [aSkill('a'), aSkill('b', { tools: [failing('b_tool', 'CONFLICT')] })] },
    { tools: [aTool('free'), failing('bad', 'PERMANENT')] },
  )
  await workspace.activateSkill('a')
  await workspace.activateSkill('b')
  for (const name of ['a_tool', 'free', 'bad', 'a_tool', 'bad', 'b_tool']) {
    await workspace.callTool(name, {})
  }
  const metrics = await workspace.figures.metrics()
  expect(metrics.total).toMatchObject({
    calls: 6,
    running: 0,
    succeeded: 3,
    failed: { PERMANENT: 2, CONFLICT: 1 },
    abandoned: 0,
    retries: 0,
  })
  expect(
    metrics.tools.map(({ source, owner, tool, calls }) => [source, owner, tool, calls]),
  ).toEqual([
    ['skill', 'a', 'a_tool', 2],
    ['global', 'global', 'free', 1],
    ['global', 'global', 'bad', 2],
    ['skill', 'b', 'b_tool', 1],
  ])
  expect(metrics.skills).toMatchObject([
    { skill: 'a', calls: 2, succeeded: 2 },
    { skill: 'b', calls: 1, failed: { CONFLICT: 1 } },
  ])
  expect(metrics.sources).toMatchObject([
    { source: 'skill', calls: 3 },
    { source: 'global', calls: 3 },
  ])
  expect(JSON.parse(JSON.stringify(metrics))).toEqual(metrics)
})

test('durations are reported as percentiles, and compared with the target of tool or mode', async () => {
  const { clock, taking } = aClock()
  const tools = [
    ...Array.from({ length: 10 }, (_, index) => taking(`t${index}`, (index + 1) * 100)),
    taking('quick', 50, { latencyMs: 40 }),
    taking('slow', 900, { category: 'retrieval', latencyMs: 1_000 }),
    taking('search', 900, { category: 'retrieval' }),
  ]
  const workspace = await aWorkspace({}, { tools, testing: { clock }, policy: { mode: 'voice' } })
  for (const { name } of tools) await workspace.callTool(name, {})
  const metrics = await workspace.figures.metrics()
  expect(metrics.total.durationMs).toEqual({ p50: 600, p95: 1_000, p99: 1_000, max: 1_000 })
  expect(toolOf(metrics, 'quick')).toMatchObject({ withTarget: 1, overTarget: 1 })
  expect(toolOf(metrics, 'slow')).toMatchObject({ withTarget: 1, overTarget: 0 })
  expect(toolOf(metrics, 'search')).toMatchObject({ withTarget: 1, overTarget: 1 })
  expect(metrics.total).toMatchObject({ withTarget: 13, overTarget: 2 })
})

test('a target is that of the mode a call was made in', async () => {
  const { clock, taking } = aClock()
  const workspace = await aWorkspace(
    {},
    {
      tools: [taking('search', 900, { category: 'retrieval' })],
      testing: { clock },
      policy: { mode: 'text' },
    },
  )
  await workspace.callTool('search', {})
  await workspace.setMode('voice')
  await workspace.callTool('search', {})
  await workspace.setMode('text')
  expect((await workspace.figures.metrics()).total).toMatchObject({ withTarget: 2, overTarget: 1 })
})

test('refused calls are counted by code, for whom they would have been', async () => {
  const workspace = await aWorkspace(
    {
      skills: [
        aSkill('a', { tools: [aTool('a_tool'), aTool('careful', { requiresConfirmation: true })] }),
      ],
    },
    { policy: { permissions: { deny: ['free'] } }, tools: [aTool('free')] },
  )
  await workspace.activateSkill('a')
  await workspace.callTool('free', {})
  await workspace.callTool('a_tool', { unknown: 1 })
  await workspace.callTool('a/a_tool', { unknown: 1 })
  await workspace.callTool('constructor', {})
  await workspace.callTool('careful', {})
  const metrics = await workspace.figures.metrics()
  expect(metrics.total).toMatchObject({
    calls: 0,
    durationMs: null,
    refused: { denied: 1, 'input-invalid': 2, unknown: 1 },
    asked: 1,
  })
  expect(toolOf(metrics, 'a_tool')).toMatchObject({ owner: 'a', refused: { 'input-invalid': 2 } })
  expect(toolOf(metrics, 'constructor')).toMatchObject({ source: null, owner: null })
  expect(metrics.skills).toMatchObject([{ skill: 'a', refused: { 'input-invalid': 2 }, asked: 1 }])
})

test('a call counts as running until it has ended', async () => {
  const gate = Promise.withResolvers<void>()
  const workspace = await aWorkspace(
    {},
    { tools: [aTool('slow', { execute: () => gate.promise })] },
  )
  const running = workspace.callTool('slow', {})
  while (workspace.state.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect((await workspace.figures.metrics()).total).toMatchObject({
    calls: 1,
    running: 1,
    succeeded: 0,
  })
  gate.resolve()
  await running
  expect((await workspace.figures.metrics()).total).toMatchObject({
    calls: 1,
    running: 0,
    succeeded: 1,
  })
})

test('a call whose process died is abandoned, not running', async () => {
  const log = createMemoryLog()
  const gate = Promise.withResolvers<void>()
  const tools = [aTool('slow', { execute: () => gate.promise })]
  const dead = await aWorkspace({}, { tools, log, session: 's' })
  void dead.callTool('slow', {}, { call: 'c' })
  while (dead.state.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const entries = await log.read('s')
  const at = entries.at(-1)?.at ?? 0
  const event = { type: 'call.abandoned', call: 'c', tool: 'slow' } as const
  const abandoned = { seq: entries.length, at, cause: { by: 'resume' }, event } as const
  await log.append('s', entries.length, [abandoned])
  expect((await dead.figures.metrics()).total).toMatchObject({ calls: 1, running: 0, abandoned: 1 })
  gate.resolve()
  await dead.close()
})

test('attempts after the first are counted separately', async () => {
  let attempts = 0
  const flaky = aTool('flaky', {
    category: 'retrieval',
    execute: () => {
      attempts += 1
      if (attempts < 3) throw new ToolError('TRANSIENT', 'again')
      return attempts
    },
  })
  const workspace = await aWorkspace({}, { tools: [flaky], testing: { randomness: () => 0 } })
  expect(await workspace.callTool('flaky', {})).toMatchObject({ ok: true })
  expect((await workspace.figures.metrics()).total).toMatchObject({
    calls: 1,
    succeeded: 1,
    retries: 2,
  })
})

test('a reset restarts the counts for every process, and a call that began before it does not count', async () => {
  const log = createMemoryLog()
  const gate = Promise.withResolvers<void>()
  const tools = [aTool('free'), aTool('slow', { execute: () => gate.promise })]
  const open = () => aWorkspace({}, { tools, log, session: 's' })
  const workspace = await open()
  await workspace.callTool('free', {})
  const running = workspace.callTool('slow', {})
  while (workspace.state.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await workspace.figures.resetMetrics()
  gate.resolve()
  await running
  expect((await workspace.figures.metrics()).tools).toEqual([])
  await workspace.callTool('free', {})
  const metrics = await workspace.figures.metrics()
  expect(metrics.total).toMatchObject({ calls: 1, running: 0, succeeded: 1 })
  expect(await (await open()).figures.metrics()).toEqual(metrics)
})

test('several sessions are counted as one', async () => {
  const { clock, taking } = aClock()
  const sessions: VirtualWorkspace[] = []
  for (const ms of [10, 20, 30]) {
    const workspace = await aWorkspace({}, { tools: [taking('free', ms)], testing: { clock } })
    await workspace.callTool('free', {})
    sessions.push(workspace)
  }
  expect(await collectMetrics(sessions)).toMatchObject({
    total: { calls: 3, durationMs: { p50: 20, p95: 30, p99: 30, max: 30 } },
    tools: [{ tool: 'free', calls: 3 }],
  })
  expect((await collectMetrics([])).total.calls).toBe(0)
})

test('tokens are those of the arguments and of what the model reads', async () => {
  const counter = { name: 'characters', count: (text: string) => text.length }
  const echo = aTool('echo', {
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    execute: ({ text }: { text: string }) => text,
  } as never)
  const note = defineIntent({ type: 'NOTE', when: 'now' })
  const options = {
    tokenCounter: counter,
    tools: [echo, failing('bad', 'CONFLICT')],
    intents: [note],
  }
  const workspace = await aWorkspace({}, options)
  await workspace.callTool('echo', { text: 'four' })
  await workspace.callTool('bad', {})
  expect((await workspace.figures.metrics()).total.tokens).toEqual({
    calls: 2,
    arguments: '{"text":"four"}'.length + '{}'.length,
    results: 'four'.length + 'no'.length,
  })
  const silent = await aWorkspace({}, { ...options, countCalls: false })
  await silent.callTool('echo', { text: 'four' })
  expect((await silent.figures.metrics()).total.tokens).toEqual({
    calls: 0,
    arguments: 0,
    results: 0,
  })
})

test('a percentile is a duration that was measured, and no smaller part of them exceeds it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100_000), { minLength: 1, maxLength: 300 }), (measured) => {
      const found = percentiles(measured)
      if (found === null) throw new Error('there are durations')
      const { p50, p95, p99, max } = found
      for (const [percent, value] of [
        [50, p50],
        [95, p95],
        [99, p99],
        [100, max],
      ] as const) {
        expect(measured).toContain(value)
        const within = measured.filter((one) => one <= value).length
        const below = measured.filter((one) => one < value).length
        expect(within / measured.length).toBeGreaterThanOrEqual(percent / 100)
        expect(below / measured.length).toBeLessThan(percent / 100)
      }
    }),
  )
})
