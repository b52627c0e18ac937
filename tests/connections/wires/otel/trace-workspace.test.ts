import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import { createMemoryLog, defineAgent, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { traceWorkspace } from 'loadout/otel'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aSkill, aTool, aWorkspace } from '../../../workspace/a-workspace.ts'
import { outline, recordTrace } from './record-trace.ts'

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
})

const sums = defineSkill({ name: 'sums', description: 'For sums.', tools: [add] })

const definitions = {
  skills: [sums],
  agents: [defineAgent({ name: 'clerk', prompt: 'You count.' })],
}

async function aTrace(options: Parameters<typeof aWorkspace>[1] = {}) {
  const workspace = await aWorkspace(definitions, { agent: 'clerk', session: 's1', ...options })
  const recorded = recordTrace()
  const stop = traceWorkspace(workspace, { tracer: recorded.tracer })
  return { workspace, stop, ...recorded }
}

test('a call is a span with the attributes of the conventions', async () => {
  const { workspace, spansOf, open } = await aTrace()
  await workspace.activateSkill('sums')
  const response = await workspace.callTool('add', { a: 1, b: 2 }, { caller: 'model', call: 'c1' })
  expect(response.ok).toBe(true)
  const [span] = spansOf('execute_tool')
  expect([span?.name, span?.kind, span?.status.code]).toEqual([
    'execute_tool add',
    SpanKind.INTERNAL,
    SpanStatusCode.UNSET,
  ])
  expect(span?.attributes).toEqual({
    [conventions.ATTR_GEN_AI_OPERATION_NAME]: conventions.GEN_AI_OPERATION_NAME_VALUE_EXECUTE_TOOL,
    [conventions.ATTR_GEN_AI_TOOL_NAME]: 'add',
    [conventions.ATTR_GEN_AI_TOOL_TYPE]: 'function',
    [conventions.ATTR_GEN_AI_TOOL_DESCRIPTION]: 'Adds two numbers.',
    [conventions.ATTR_GEN_AI_TOOL_CALL_ID]: 'c1',
    [conventions.ATTR_GEN_AI_CONVERSATION_ID]: 's1',
    [conventions.ATTR_GEN_AI_AGENT_NAME]: 'clerk',
    'loadout.tool': 'add',
    'loadout.caller': 'model',
    'loadout.source': 'skill',
    'loadout.owner': 'sums',
    'loadout.skill': 'sums',
    'loadout.entry.seq': 2,
  })
  expect((await workspace.entries(2))[0]?.event.type).toBe('call.started')
  expect(open()).toEqual([])
})

test('the report of a provider is an event with the attributes of the conventions, and the difference from the cost', async () => {
  const { workspace, spans } = await aTrace()
  await workspace.beginStep()
  const usage = { input: 4000, cached: 3000, written: 200, output: 40, reasoning: 8 }
  await workspace.figures.report({ model: 'm', usage })
  const reported = spans().find(({ name }) => name === 'loadout.step.reported')
  expect(reported?.attributes).toMatchObject({
    'loadout.step': 1,
    [conventions.ATTR_GEN_AI_RESPONSE_MODEL]: 'm',
    [conventions.ATTR_GEN_AI_USAGE_INPUT_TOKENS]: 4000,
    [conventions.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: 40,
    [conventions.ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS]: 3000,
    [conventions.ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS]: 200,
    'loadout.usage.deviation': 'earlier-request',
    'loadout.usage.expected': 0,
  })
})

test('every name outside of the namespace of Loadout is one of the conventions', async () => {
  const { workspace, text } = await aTrace({ metaTools: ['tool_search', 'loadSkill'] })
  traceWorkspace(workspace, { tracer: recordTrace().tracer, content: true })
  const recorded = recordTrace()
  traceWorkspace(workspace, { tracer: recorded.tracer, content: true })
  await workspace.callTool('loadSkill', { skillName: 'sums' }, { caller: 'model' })
  await workspace.callTool('tool_search', { query: 'add numbers' }, { caller: 'model' })
  await workspace.callTool('add', { a: 1, b: 1 })
  await workspace.callTool('add', { a: 'x' })
  await workspace.beginStep()
  const usage = { input: 9, cached: 3, written: 2, output: 4, reasoning: 1 }
  await workspace.figures.report({ model: 'm', usage })
  const known = new Set<unknown>(
    Object.values(conventions).filter((one) => typeof one === 'string'),
  )
  const names = [...(text() + recorded.text()).matchAll(/"([a-z_]+(?:\.[a-z_]+)+)":/g)].map(
    ([, name = '']) => name,
  )
  const ours = names.filter((name) => name.startsWith('loadout.'))
  const others = new Set(names.filter((name) => !name.startsWith('loadout.')))
  expect(ours.length).toBeGreaterThan(20)
  expect(others.size).toBeGreaterThan(10)
  expect([...others].filter((name) => !known.has(name))).toEqual([])
})

test('calls are within the active span, the spans of a handler within the call, and nested calls too', async () => {
  const recorded = recordTrace()
  const outer = aTool('outer', {
    execute: (_, ctx) =>
      recorded.tracer.startActiveSpan('fetch', async (span) => {
        await ctx.callTool('inner', {})
        span.end()
        return 'done'
      }),
  })
  const workspace = await aWorkspace({ tools: [outer, aTool('inner')] })
  traceWorkspace(workspace, { tracer: recorded.tracer })
  await recorded.tracer.startActiveSpan('turn', async (span) => {
    await workspace.callTool('outer', {})
    span.end()
  })
  expect(outline(recorded.spans())).toMatchInlineSnapshot(`
    "turn
      execute_tool outer
        fetch
          execute_tool inner
    "
  `)
})

test('a nested call whose handler lost the context is within the outer call', async () => {
  const outer = aTool('outer', {
    execute: (_, ctx) =>
      context.with(trace.deleteSpan(context.active()), () => ctx.callTool('inner', {})),
  })
  const workspace = await aWorkspace({ tools: [outer, aTool('inner')] })
  const { tracer, spans } = recordTrace()
  traceWorkspace(workspace, { tracer })
  await workspace.callTool('outer', {})
  expect(outline(spans())).toBe('execute_tool outer\n  execute_tool inner\n')
})

test('a refused call has a span with the reason, and the name only of a tool that exists', async () => {
  const { workspace, spansOf } = await aTrace()
  await workspace.callTool('add', { a: 1, b: 2 })
  await workspace.callTool('my card is 4111', {})
  await workspace.activateSkill('sums')
  await workspace.callTool('add', { a: 'one' })
  const facts = spansOf('execute_tool').map(({ name, status, attributes }) => [
    name,
    status,
    attributes['gen_ai.tool.name'],
    attributes['error.type'],
    attributes['loadout.reason'],
    attributes['loadout.owner'],
  ])
  const failed = { code: SpanStatusCode.ERROR }
  expect(facts).toEqual([
    ['execute_tool add', failed, 'add', 'UNAVAILABLE', 'skill-inactive', undefined],
    ['execute_tool', failed, '_OTHER', 'NOT_FOUND', 'unknown', undefined],
    ['execute_tool add', failed, 'add', 'VALIDATION', 'input-invalid', 'sums'],
  ])
  const seqs = spansOf('execute_tool').map(({ attributes }) => attributes['loadout.entry.seq'])
  const entries = await workspace.entries()
  expect(seqs.map((seq) => entries[Number(seq)]?.event.type)).toEqual(
    Array(3).fill('command.refused'),
  )
})

test('a question to a person is no failure', async () => {
  const asked = aTool('asked', { requiresConfirmation: true })
  const workspace = await aWorkspace({ tools: [asked] })
  const { tracer, spansOf } = recordTrace()
  traceWorkspace(workspace, { tracer })
  await workspace.callTool('asked', {}, { caller: 'model' })
  const [span] = spansOf('execute_tool')
  expect(span?.status).toEqual({ code: SpanStatusCode.UNSET })
  expect(span?.attributes).toMatchObject({ 'loadout.reason': 'confirmation-required' })
  expect(span?.attributes).not.toHaveProperty('error.type')
})

test('a failed call has the type of its error, and the message only with content', async () => {
  const broken = aTool('broken', {
    execute: () => {
      throw new Error('The printer is on fire.')
    },
  })
  const workspace = await aWorkspace({ tools: [broken] })
  const [plain, full] = [recordTrace(), recordTrace()]
  traceWorkspace(workspace, { tracer: plain.tracer })
  traceWorkspace(workspace, { tracer: full.tracer, content: true })
  const response = await workspace.callTool('broken', {})
  const type = response.ok ? '' : response.error.type
  expect(plain.spansOf('execute_tool')[0]).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { 'error.type': type },
  })
  expect(plain.text()).not.toContain('printer')
  expect(full.text()).toContain('The printer is on fire.')
})

test('aborted calls, calls of a closed workspace and calls in mid-close end their spans', async () => {
  const hanging = aTool('hanging', { execute: () => new Promise(() => undefined) })
  const workspace = await aWorkspace({ tools: [hanging] })
  const { tracer, spansOf, open } = recordTrace()
  traceWorkspace(workspace, { tracer })
  const given = new AbortController()
  const [aborted, closed] = [
    workspace.callTool('hanging', {}, { signal: given.signal }),
    workspace.callTool('hanging', {}),
  ]
  await expect.poll(() => workspace.state.calls.length).toBe(2)
  expect(open()).toHaveLength(2)
  given.abort(new Error('No longer wanted.'))
  await aborted
  expect(open()).toHaveLength(1)
  await workspace.close()
  expect(open()).toEqual([])
  await closed
  await workspace.callTool('hanging', {})
  expect(open()).toEqual([])
  expect(spansOf('execute_tool').map(({ attributes }) => attributes['error.type'])).toEqual([
    'ABORTED',
    'ABORTED',
    'SESSION_INACTIVE',
  ])
})

test('the span of a call in the background ends with the call, not with its first answer', async () => {
  const done = Promise.withResolvers<string>()
  const slow = aTool('slow', { background: true, execute: () => done.promise })
  const workspace = await aWorkspace({ tools: [slow] })
  const { tracer, spansOf, open } = recordTrace()
  traceWorkspace(workspace, { tracer })
  const response = await workspace.callTool('slow', {}, { call: 'c1' })
  expect(response).toMatchObject({ ok: true, data: { status: 'running' } })
  expect(open()).toEqual(['execute_tool slow'])
  done.resolve('ready')
  await workspace.calls.waitFor('c1')
  await expect.poll(open).toEqual([])
  expect(spansOf('execute_tool')).toHaveLength(1)
})

test('activations, refusals and steps are events of the active span', async () => {
  const { workspace, tracer, spans } = await aTrace()
  await tracer.startActiveSpan('turn', async (span) => {
    await workspace.activateSkill('sums')
    await workspace.beginStep()
    await workspace.activateSkill('sums')
    await workspace.activateSkill('no such skill')
    await workspace.deactivateSkill('sums')
    span.end()
  })
  const [turn, ...others] = spans()
  expect(others).toEqual([])
  const session = { 'gen_ai.conversation.id': 's1', 'gen_ai.agent.name': 'clerk' }
  const { cost } = workspace.state
  expect(turn?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
    [
      'loadout.skill.activated',
      { ...session, 'loadout.skill': 'sums', 'loadout.cause': 'host', 'loadout.entry.seq': 1 },
    ],
    [
      'loadout.step.begun',
      {
        ...session,
        'loadout.step': 1,
        'loadout.exposure.strategy': expect.any(String),
        'loadout.cost.kept': cost?.kept,
        'loadout.cost.lost': cost?.lost,
        'loadout.cause': 'host',
        'loadout.entry.seq': 2,
      },
    ],
    [
      'loadout.command.refused',
      {
        ...session,
        'loadout.command': 'skill.activate',
        'loadout.reason': 'skill-already-active',
        'loadout.skill': 'sums',
        'loadout.cause': 'host',
        'loadout.entry.seq': 3,
      },
    ],
    [
      'loadout.command.refused',
      {
        ...session,
        'loadout.command': 'skill.activate',
        'loadout.reason': 'skill-unknown',
        'loadout.cause': 'host',
        'loadout.entry.seq': 4,
      },
    ],
    [
      'loadout.skill.deactivated',
      { ...session, 'loadout.skill': 'sums', 'loadout.cause': 'host', 'loadout.entry.seq': 5 },
    ],
  ])
})

test('without an active span, an event is a span that ends at once', async () => {
  const { workspace, spans, open } = await aTrace()
  await workspace.activateSkill('sums')
  const [span] = spans()
  expect([span?.name, span?.events, open()]).toEqual(['loadout.skill.activated', [], []])
  expect(span?.attributes).toMatchObject({
    'loadout.skill': 'sums',
    'gen_ai.conversation.id': 's1',
  })
})

test('a skill that a call activates is an event of the span of that call', async () => {
  const { workspace, spansOf } = await aTrace({ metaTools: ['loadSkill'] })
  await workspace.callTool('loadSkill', { skillName: 'sums' }, { caller: 'model' })
  const [span] = spansOf('execute_tool')
  expect(span?.name).toBe('execute_tool loadSkill')
  expect(span?.events.map(({ name }) => name)).toEqual(['loadout.skill.activated'])
})

test('a tool in quarantine is an event: when it is registered, and when the trace begins', async () => {
  const first = aTool('drifting', { description: 'Reads.' })
  const changed = aTool('drifting', { description: 'Deletes everything.' })
  const log = createMemoryLog()
  const options = { log, session: 's1' }
  const before = await aWorkspace({}, options)
  await before.registerTool(first, { trusted: false })
  const live = recordTrace()
  traceWorkspace(before, { tracer: live.tracer })
  await before.registerTool(changed, { trusted: false, replace: true })
  await before.close()
  const after = await aWorkspace({}, options)
  const resumed = recordTrace()
  await after.registerTool(changed, { trusted: false, replace: true })
  traceWorkspace(after, { tracer: resumed.tracer })
  const names = [live, resumed].map(({ spans }) =>
    spans().map(({ name, attributes }) => [name, attributes['loadout.tool']]),
  )
  expect(names[0]).toContainEqual(['loadout.quarantined', 'drifting'])
  expect(names[1]).toEqual([['loadout.quarantined', 'drifting']])
})

test('a search is a span within its call', async () => {
  const { workspace, spans, spansOf, text } = await aTrace({ metaTools: ['tool_search'] })
  const full = recordTrace()
  traceWorkspace(workspace, { tracer: full.tracer, content: true })
  await workspace.callTool('tool_search', { query: 'add two numbers' }, { caller: 'model' })
  expect(outline(spans())).toBe('execute_tool tool_search\n  retrieval\n')
  const [plain] = spansOf('retrieval')
  expect(plain?.attributes).toMatchObject({
    [conventions.ATTR_GEN_AI_OPERATION_NAME]: conventions.GEN_AI_OPERATION_NAME_VALUE_RETRIEVAL,
    [conventions.ATTR_GEN_AI_CONVERSATION_ID]: 's1',
    'loadout.search.found': expect.any(Number),
    'loadout.search.route': 'lexical',
  })
  expect(text()).not.toContain('two numbers"')
  expect(full.spansOf('retrieval')[0]?.attributes).toMatchObject({
    [conventions.ATTR_GEN_AI_RETRIEVAL_QUERY_TEXT]: '"add two numbers"',
    [conventions.ATTR_GEN_AI_RETRIEVAL_DOCUMENTS]: expect.stringContaining('{"id":"add"}'),
  })
})

test('a call through call_tool is one span, of the tool that runs', async () => {
  const { workspace, spansOf } = await aTrace({ metaTools: ['call_tool'] })
  await workspace.activateSkill('sums')
  const input = { name: 'add', arguments: { a: 1, b: 2 } }
  await workspace.callTool('call_tool', input, { caller: 'model' })
  expect(spansOf('execute_tool').map(({ name }) => name)).toEqual(['execute_tool add'])
})

test('after it is stopped nothing more is recorded, and spans of running calls end', async () => {
  const done = Promise.withResolvers<void>()
  const error = { type: 'NOT_FOUND', message: 'No.', details: { code: 'canary' } }
  const slow = aTool('slow', {
    execute: () => done.promise.then(() => ({ ok: false, error }) as never),
  })
  const workspace = await aWorkspace({ tools: [slow], skills: [aSkill('one')] })
  const { tracer, spans, open, text } = recordTrace()
  const stop = traceWorkspace(workspace, { tracer })
  const running = workspace.callTool('slow', {})
  await expect.poll(() => workspace.state.calls.length).toBe(1)
  stop()
  await workspace.activateSkill('one')
  await workspace.callTool('one_tool', {})
  done.resolve()
  await running
  expect(spans().map(({ name }) => name)).toEqual(['execute_tool slow'])
  expect(open()).toEqual([])
  expect(text()).not.toContain('canary')
})

test('the recorded result of a call that was made before is no refusal, and its error stays out of the span', async () => {
  for (const keepResults of [true, false]) {
    const error = { type: 'NOT_FOUND', message: 'No canary.', details: { code: 'canary' } }
    const find = aTool('find', { execute: () => ({ ok: false, error }) as never })
    const workspace = await aWorkspace({ tools: [find] }, { keepResults })
    const { tracer, spansOf, text } = recordTrace()
    traceWorkspace(workspace, { tracer })
    await workspace.beginStep()
    await workspace.callTool('find', {}, { call: 'c1' })
    const again = await workspace.callTool('find', {}, { call: 'c1' })
    expect(again).toMatchObject({ error, meta: { recorded: true } })
    expect(spansOf('execute_tool').map(({ attributes }) => attributes)).toMatchObject([
      { 'error.type': 'NOT_FOUND' },
      { 'error.type': 'NOT_FOUND', 'loadout.recorded': true },
    ])
    expect(text()).not.toContain('loadout.reason')
    expect(text()).not.toContain('canary')
  }
})

test('the entries of another process are not recorded twice', async () => {
  const log = createMemoryLog()
  const open = () => VirtualWorkspace.open({ ...own, log, session: 's1', follow: true })
  const own = { catalog: (await aWorkspace(definitions)).catalog, metaTools: [] }
  const [here, there] = [await open(), await open()]
  const [first, second] = [recordTrace(), recordTrace()]
  traceWorkspace(here, { tracer: first.tracer })
  traceWorkspace(there, { tracer: second.tracer })
  await here.activateSkill('sums')
  await expect.poll(() => there.isToolAvailable('add')).toBe(true)
  expect(first.spans().map(({ name }) => name)).toEqual(['loadout.skill.activated'])
  expect(second.spans()).toEqual([])
})

test('an unknown option is refused', async () => {
  const workspace = await aWorkspace({})
  expect(() => traceWorkspace(workspace, { contents: true } as object)).toThrow('contents')
})
