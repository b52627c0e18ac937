import {
  createMemoryLog,
  defineComponent,
  defineTool,
  ErrorType,
  fail,
  type EventLog,
  type VirtualWorkspace,
} from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aSkill, aTool, aWorkspace, available, history } from './a-workspace.ts'

const sum = defineTool({
  name: 'sum',
  description: 'Add up.',
  inputSchema: z.object({ numbers: z.array(z.number()) }),
  outputSchema: z.number().max(100),
  execute: ({ numbers }) => numbers.reduce((total, one) => total + one, 0),
})

test.each<{ what: string; input: unknown; path: string }>([
  { what: 'an unknown argument', input: { numbers: [], round: true }, path: 'round' },
  { what: 'a wrong type', input: { numbers: ['1'] }, path: '/numbers/0' },
  { what: 'a missing argument', input: {}, path: '/numbers' },
  { what: 'no object at all', input: 'numbers', path: '' },
  { what: 'what JSON cannot carry', input: { numbers: [1n] }, path: '' },
])('$what is refused before the handler runs', async ({ input, path }) => {
  const workspace = await aWorkspace({}, { tools: [sum] })
  const response = await workspace.callTool('sum', input)
  expect(response).toMatchObject({
    ok: false,
    error: { type: 'VALIDATION', partialSideEffects: false, details: { code: 'input-invalid' } },
    meta: { tool: 'sum', durationMs: 0, seq: 2 },
  })
  expect(JSON.stringify(response)).toContain(path)
  expect(await history(workspace, 2)).toEqual(['command.refused sum (input-invalid)'])
})

test('a result its schema refuses is an error after the fact', async () => {
  const workspace = await aWorkspace({}, { tools: [sum] })
  expect(await workspace.callTool(sum, { numbers: [1, 2] })).toMatchObject({ ok: true, data: 3 })
  expect(await workspace.callTool(sum, { numbers: [99, 2] })).toMatchObject({
    error: { type: 'BAD_OUTPUT', partialSideEffects: true },
  })
})

test('a handler gets what it needs to know, and a model’s cause carries its id', async () => {
  const seen: unknown[] = []
  const services = { shelf: 'of books' }
  const look = aTool('look', {
    execute: (_: unknown, context: object) => {
      seen.push({ ...context })
      return null
    },
  })
  const workspace = await aWorkspace(
    {},
    { tools: [look], services, principal: { id: 'ann', role: 'admin' }, session: 's' },
  )
  await workspace.callTool('look', {}, { caller: 'model', call: 'call_1' })
  expect(seen).toMatchObject([
    {
      services,
      principal: { id: 'ann', role: 'admin' },
      call: { id: 'call_1', tool: 'look', owner: 'global', session: 's', caller: 'model' },
      state: undefined,
      signal: { aborted: false },
    },
  ])
  const [started, ended] = await workspace.entries(2)
  expect(started).toMatchObject({
    cause: { by: 'model', call: 'call_1' },
    event: { call: 'call_1' },
  })
  expect(ended).toMatchObject({ cause: { by: 'model', call: 'call_1' }, event: { ok: true } })
})

test('ids that a provider repeats are distinguished, while the first call runs and in the log', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const owners: string[] = []
  const slow = (name: string, gate: Promise<void>) =>
    aTool(name, {
      execute: async (_: unknown, { call }: { call: { owner: string; tool: string } }) => {
        await gate
        owners.push(call.tool)
        return call.tool
      },
    } as never)
  const workspace = await aWorkspace(
    {},
    { tools: gates.map(({ promise }, index) => slow(`slow${index}`, promise)) },
  )
  const calls = ['slow0', 'slow1'].map((tool) =>
    workspace.callTool(tool, {}, { caller: 'model', call: 'same' }),
  )
  gates[0]?.resolve()
  const first = await calls[0]
  expect(workspace.state.calls.map(({ tool }) => tool)).toEqual(['slow1'])
  gates[1]?.resolve()
  const second = await calls[1]
  expect([first, second]).toMatchObject([{ data: 'slow0' }, { data: 'slow1' }])
  expect(first?.meta.call).toBe('same')
  expect(second?.meta.call).not.toBe('same')
  expect(workspace.state.calls).toEqual([])
})

const counter = (limit = Number.POSITIVE_INFINITY) =>
  defineComponent({
    key: 'counter',
    initialState: { counts: [] as readonly number[] },
    tools: (define) => [
      define({
        name: 'count',
        description: 'Note a number.',
        inputSchema: z.object({ number: z.number() }),
        execute: async ({ number }, context) => {
          const before = context.state.counts.length
          const { counts } = await context.update((state) => ({
            counts: [...state.counts, number],
          }))
          return { before, after: counts.length, now: context.state.counts.length }
        },
      }),
      define({
        name: 'spoil',
        description: 'Change the state in place.',
        execute: (_, context) =>
          context.update((state) => {
            ;(state.counts as number[]).push(limit)
            return state
          }),
      }),
      define({
        name: 'swell',
        description: 'Grow too large.',
        execute: (_, context) => context.update(() => ({ counts: Array<number>(70_000).fill(1) })),
      }),
      define({
        name: 'forget',
        description: 'Update without waiting, with what JSON cannot carry.',
        execute: (_, context) => {
          void context.update(() => ({ counts: [Number.NaN] }))
          return 'gone on'
        },
      }),
    ],
    panel: ({ counts }) => ({ title: 'Counter', lines: counts.map(String) }),
  })

test('parallel updates of a component are queued, none is lost, and panels follow', async () => {
  const workspace = await aWorkspace({ components: [counter()] })
  const numbers = [1, 2, 3, 4, 5]
  const answers = await Promise.all(
    numbers.map((number) => workspace.callTool('count', { number })),
  )
  expect(answers.map((one) => one.ok && (one.data as { after: number }).after)).toEqual(numbers)
  expect(workspace.exportComponent('counter')).toEqual({ counts: numbers })
  expect(workspace.prompt().text).toMatch(/1\s+2\s+3\s+4\s+5/u)
})

test('a state cannot be changed in place, so memory never runs ahead of the log', async () => {
  const workspace = await aWorkspace({ components: [counter()] })
  await workspace.callTool('count', { number: 1 })
  expect(await workspace.callTool('spoil', {})).toMatchObject({ ok: false })
  expect(workspace.exportComponent('counter')).toEqual({ counts: [1] })
  const exported = workspace.exportComponent('counter') as { counts: number[] }
  expect(() => exported.counts.push(2)).toThrow(TypeError)
})

test('a state that is given is copied, so that who gave it cannot change it later', async () => {
  const trusting = { ...counter(), restoreState: (exported: unknown) => exported as never }
  const workspace = await aWorkspace({ components: [trusting] })
  const given = { counts: [1] }
  await workspace.restoreComponent('counter', given)
  given.counts.push(2)
  const kept = workspace.exportComponent('counter')
  const events = (await workspace.entries()).map(({ event }) => event)
  expect(events.at(-1)).toMatchObject({ type: 'component.updated', state: kept })
})

test('a state that is too large is refused and the old one stays', async () => {
  const workspace = await aWorkspace({ components: [counter()] })
  expect(await workspace.callTool('swell', {})).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('over 65536 characters') },
  })
  expect(workspace.exportComponent('counter')).toEqual({ counts: [] })
  expect(await history(workspace)).toContain('command.refused counter (state-too-large)')
})

test('an update nobody waits for brings nothing down when it fails', async () => {
  const workspace = await aWorkspace({ components: [counter()] })
  expect(await workspace.callTool('forget', {})).toMatchObject({ ok: true, data: 'gone on' })
  await workspace.beginTurn()
  expect(workspace.exportComponent('counter')).toEqual({ counts: [] })
})

test('only tools of a component have a state to update', async () => {
  const greedy = aTool('greedy', {
    execute: (_: unknown, { update }: { update: (next: () => null) => Promise<null> }) =>
      update(() => null),
  } as never)
  const workspace = await aWorkspace({}, { tools: [greedy] })
  expect(await workspace.callTool('greedy', {})).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('"greedy" does not belong to a component') },
  })
})

test('a handler that was given up on can neither update nor report progress', async () => {
  const late: unknown[] = []
  const progress: unknown[] = []
  const gate = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const component = defineComponent({
    key: 'slow',
    initialState: 0 as number,
    tools: (define) => [
      define({
        name: 'late',
        description: 'Comes late.',
        timeoutMs: 10,
        execute: async (_, { update, progress: report }) => {
          report({ message: 'begun', fraction: 0.1 })
          await gate.promise
          report({ message: 'too late' })
          await update(() => 1).catch((error: { code: string }) => late.push(error.code))
          done.resolve()
          return null
        },
      }),
    ],
    panel: (count) => ({ title: 'Slow', lines: [String(count)] }),
  })
  const workspace = await aWorkspace(
    { components: [component] },
    { onProgress: (one) => progress.push([one.tool, one.message, one.fraction]) },
  )
  expect(await workspace.callTool('late', {})).toMatchObject({ error: { type: 'TIMEOUT' } })
  gate.resolve()
  await done.promise
  expect(late).toEqual(['CALL_OVER'])
  expect(progress).toEqual([['late', 'begun', 0.1]])
  expect(workspace.exportComponent('slow')).toBe(0)
})

test('a handler may call other tools, activate other skills and put its own away', async () => {
  const workspace: VirtualWorkspace = await aWorkspace({
    skills: [
      aSkill('outer', {
        tools: [
          aTool('switch', {
            execute: async () => {
              const activated = await workspace.activateSkill('inner')
              const called = await workspace.callTool('inner_tool', {})
              const left = await workspace.deactivateSkill('outer')
              return [activated.ok, called.ok, left.ok]
            },
          }),
        ],
      }),
      aSkill('inner'),
    ],
  })
  await workspace.activateSkill('outer')
  expect(await workspace.callTool('switch', {})).toMatchObject({
    ok: true,
    data: [true, true, true],
  })
  expect(available(workspace)).toEqual(['inner_tool'])
  expect(await history(workspace, 2)).toEqual([
    'call.started outer',
    'source.opened inner',
    'call.started inner',
    'call.ended inner_tool',
    'source.closed outer',
    'call.ended switch',
  ])
})

/** A skill whose tool runs until it is let go, or aborted. */
function slowSkill(name = 'slow') {
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const reasons: string[] = []
  const tool = aTool(`${name}_tool`, {
    execute: async (_: unknown, { signal }: { signal: AbortSignal }) => {
      entered.resolve()
      signal.addEventListener('abort', () => reasons.push((signal.reason as Error).message))
      await gate.promise
      return 'done'
    },
  } as never)
  const skill = aSkill(name, { displayName: `The ${name} one`, aliases: ['lazy'], tools: [tool] })
  return { skill, gate, entered, reasons }
}

test.each(['slow', 'The slow one', 'LAZY'])(
  'putting "%s" away waits for its calls to end, for a while',
  async (called) => {
    const { skill, gate, entered, reasons } = slowSkill()
    const workspace = await aWorkspace({ skills: [skill] }, { limits: { drainMs: 60_000 } })
    await workspace.activateSkill('slow')
    const call = workspace.callTool('slow_tool', {})
    await entered.promise
    const leaving = workspace.deactivateSkill(called)
    await workspace.beginTurn()
    expect(available(workspace)).toEqual(['slow_tool'])
    gate.resolve()
    expect(await call).toMatchObject({ data: 'done' })
    expect(await leaving).toMatchObject({ ok: true })
    expect(reasons).toEqual([])
  },
)

test.each<{ what: string; leave: (workspace: VirtualWorkspace) => Promise<unknown> }>([
  { what: 'deactivated', leave: (one) => one.deactivateSkill('slow') },
  {
    what: 'deactivated with a skill it requires',
    leave: (one) => one.deactivateSkill('base', { cascade: true }),
  },
  { what: 'replaced', leave: (one) => one.activateSkill('rival', { replace: true }) },
  { what: 'deactivated for an exclusive one', leave: (one) => one.activateSkill('alone') },
])('a skill that is $what aborts its calls when they do not end in time', async ({ leave }) => {
  const { skill, entered, reasons } = slowSkill()
  const workspace = await aWorkspace(
    {
      skills: [
        aSkill('base'),
        aSkill('slow', { requires: ['base'], tools: skill.tools }),
        aSkill('rival', { conflicts: ['slow'] }),
        aSkill('alone', { exclusive: true }),
      ],
    },
    { limits: { drainMs: 10 } },
  )
  await workspace.activateSkill('slow')
  const call = workspace.callTool('slow_tool', {})
  await entered.promise
  expect(await leave(workspace)).toMatchObject({ ok: true })
  expect(await call).toMatchObject({
    error: { type: 'ABORTED', message: expect.stringContaining('Its skill was deactivated.') },
  })
  expect(reasons).toEqual(['Its skill was deactivated.'])
})

test('a skill that leaves by a hook aborts its calls when it has left, and not before', async () => {
  const { skill, entered, reasons } = slowSkill()
  const whileHookRan: string[] = []
  const hooked = aSkill('slow', {
    tools: skill.tools,
    onDeactivate: () => void whileHookRan.push(reasons.join()),
  })
  const workspace = await aWorkspace({ skills: [hooked] }, { limits: { drainMs: 10 } })
  await workspace.activateSkill('slow')
  const call = workspace.callTool('slow_tool', {})
  await entered.promise
  expect(await workspace.deactivateSkill('slow')).toMatchObject({ ok: true })
  expect(await call).toMatchObject({ error: { type: 'ABORTED' } })
  expect(whileHookRan).toEqual([''])
  expect(reasons).toEqual(['Its skill was deactivated.'])
})

test('of two commands that wait for the same call, the second is decided on what the first did', async () => {
  const { skill, gate, entered } = slowSkill()
  const workspace = await aWorkspace({ skills: [skill] }, { limits: { drainMs: 60_000 } })
  await workspace.activateSkill('slow')
  const call = workspace.callTool('slow_tool', {})
  await entered.promise
  const leaving = [workspace.deactivateSkill('slow'), workspace.deactivateSkill('slow')]
  expect(await workspace.beginTurn()).toMatchObject({ ok: true })
  gate.resolve()
  expect(await call).toMatchObject({ data: 'done' })
  expect(await Promise.all(leaving)).toMatchObject([{ ok: true }, { code: 'skill-not-active' }])
})

test('a command that is refused waits for no call, and aborts none', async () => {
  const { skill, gate, entered, reasons } = slowSkill()
  const workspace = await aWorkspace(
    {
      skills: [
        skill,
        aSkill('needy', { requires: ['slow'] }),
        aSkill('stuck', { conflicts: ['slow'], onActivate: () => Promise.reject(new Error('no')) }),
      ],
    },
    { limits: { drainMs: 5 } },
  )
  await workspace.activateSkill('slow')
  await workspace.activateSkill('needy')
  const call = workspace.callTool('slow_tool', {})
  await entered.promise
  expect(await workspace.deactivateSkill('slow')).toMatchObject({ code: 'required-by' })
  expect(await workspace.deactivateSkill()).toMatchObject({ code: 'skill-ambiguous' })
  expect(await workspace.activateSkill('stuck', { replace: true })).toMatchObject({
    code: 'hook-failed',
  })
  gate.resolve()
  expect(await call).toMatchObject({ data: 'done' })
  expect(reasons).toEqual([])
})

test("a component's call is not ended by a skill of the component's name", async () => {
  const { skill, gate, entered } = slowSkill('notes')
  const component = defineComponent({
    key: 'notes',
    initialState: null,
    tools: skill.tools as never,
    panel: () => ({ title: 'Notes', lines: [] }),
  })
  const other = await aWorkspace(
    { skills: [aSkill('notes', { tools: [aTool('other')] })], components: [component] },
    { limits: { drainMs: 5 } },
  )
  await other.activateSkill('notes')
  const call = other.callTool('notes_tool', {})
  await entered.promise
  expect(await other.deactivateSkill('notes')).toMatchObject({ ok: true })
  gate.resolve()
  expect(await call).toMatchObject({ ok: true, data: 'done' })
})

test('close aborts what runs, logs its end, and takes no more', async () => {
  const { skill, entered } = slowSkill()
  const log = createMemoryLog()
  const workspace = await aWorkspace({ skills: [skill] }, { log, session: 's' })
  await workspace.activateSkill('slow')
  const running = workspace.callTool('slow_tool', {})
  await entered.promise
  const beside = workspace.callTool('slow_tool', {})
  const closing = workspace.close()
  const after = workspace.callTool('slow_tool', {}, { call: 'late' })
  await closing
  expect(await running).toMatchObject({
    error: { type: 'ABORTED', message: expect.stringContaining('The workspace is closing.') },
  })
  // It was not started yet.
  expect(await beside).toMatchObject({ error: { type: 'ABORTED', partialSideEffects: false } })
  expect(await after).toMatchObject({
    error: { type: 'SESSION_INACTIVE', details: { code: 'WORKSPACE_CLOSED' } },
    meta: { tool: 'slow_tool', call: 'late', durationMs: 0 },
  })
  expect(workspace.state.calls).toEqual([])
  const entries = await log.read('s')
  expect(entries.filter(({ event }) => event.type === 'call.ended')).toHaveLength(1)
  await expect(workspace.activateSkill('slow')).rejects.toMatchObject({ code: 'WORKSPACE_CLOSED' })
  await workspace.close()
})

test('close lets the commands end that were given before it', async () => {
  const log = createMemoryLog()
  const slow: EventLog = {
    ...log,
    append: async (...given) => {
      await new Promise((resolve) => setImmediate(resolve))
      return log.append(...given)
    },
  }
  const workspace = await aWorkspace({ skills: [aSkill('owls')] }, { log: slow, session: 's' })
  const given = [workspace.activateSkill('owls'), workspace.beginTurn(), workspace.beginTurn()]
  await workspace.close()
  expect(await Promise.all(given)).toMatchObject([{ seq: 1 }, { seq: 2 }, { seq: 3 }])
  expect(await log.read('s')).toHaveLength(4)
  await expect(workspace.beginTurn()).rejects.toMatchObject({ code: 'WORKSPACE_CLOSED' })
})

test('a handler may close the workspace that runs it', async () => {
  const workspace: VirtualWorkspace = await aWorkspace(
    {},
    { tools: [aTool('stop', { execute: () => workspace.close() })] },
  )
  expect(await workspace.callTool('stop', {})).toMatchObject({ error: { type: 'ABORTED' } })
})

test('the caller may give up, before and while the handler runs', async () => {
  const { skill, entered } = slowSkill()
  const workspace = await aWorkspace({ skills: [skill] })
  await workspace.activateSkill('slow')
  expect(
    await workspace.callTool('slow_tool', {}, { signal: AbortSignal.abort(new Error('bored')) }),
  ).toMatchObject({ error: { type: 'ABORTED', partialSideEffects: false } })
  const controller = new AbortController()
  const call = workspace.callTool('slow_tool', {}, { signal: controller.signal })
  await entered.promise
  controller.abort(new Error('bored'))
  expect(await call).toMatchObject({
    error: { type: 'ABORTED', message: expect.stringContaining('bored') },
  })
})

test('an envelope that a handler gives back is taken over', async () => {
  const busy = aTool('busy', {
    execute: () => fail(ErrorType.RATE_LIMIT, 'Ten a minute.', { details: { wait: 6 } }),
  } as never)
  const workspace = await aWorkspace({}, { tools: [busy] })
  expect(await workspace.callTool('busy', {})).toMatchObject({
    error: { type: 'RATE_LIMIT', retryable: true, details: { wait: 6 } },
  })
  const entries = await workspace.entries()
  expect(entries.at(-1)?.event).toMatchObject({ ok: false, error: 'RATE_LIMIT' })
})

test('a check of arguments that never ends is refused at the time limit', async () => {
  const endless = defineTool({
    name: 'endless',
    description: 'Never knows.',
    inputSchema: z.object({ a: z.string().refine(() => new Promise<boolean>(() => undefined)) }),
    execute: () => null,
  })
  const workspace = await aWorkspace({}, { tools: [endless], limits: { timeoutMs: 10 } })
  expect(await workspace.callTool('endless', { a: 'x' })).toMatchObject({
    error: { type: 'VALIDATION', message: expect.stringContaining('did not end within 10 ms') },
  })
})

test('names and arguments of a model, however long, leave short entries and short answers', async () => {
  const workspace = await aWorkspace({ skills: [aSkill('owls')] }, { tools: [aTool('clock')] })
  const long = 'y'.repeat(1_000_000)
  const responses = [
    await workspace.callTool(long, {}),
    await workspace.callTool('clock', { [long]: 1 }),
  ]
  await workspace.activateSkill(long)
  await workspace.approve(long)
  for (const response of responses) {
    if (!response.ok) expect(response.error.message.length).toBeLessThan(5_000)
    expect(JSON.stringify(response).length).toBeLessThan(20_000)
  }
  const entries = await workspace.entries()
  expect(entries).toHaveLength(6)
  for (const entry of entries) expect(JSON.stringify(entry).length).toBeLessThan(5_000)
})

test.each<{ what: string; tool: unknown }>([
  { what: 'nothing', tool: undefined },
  { what: 'null', tool: null },
  { what: 'a number', tool: 5 },
  { what: 'a symbol', tool: Symbol('tool') },
  { what: 'a list', tool: [] },
  { what: 'an object without a name', tool: {} },
  { what: 'an object whose name is no text', tool: { name: 5 } },
])('$what for a tool is a tool that nobody has', async ({ tool }) => {
  const workspace = await aWorkspace({ tools: [aTool('object')] }, { tools: [aTool('undefined')] })
  const response = await workspace.callTool(tool as string, {}, { caller: 'model' })
  expect(response).toMatchObject({ ok: false, error: { type: 'NOT_FOUND' } })
})

test('a call that spends nothing keeps the same lists, and one that spends a budget creates new ones', async () => {
  const workspace = await aWorkspace(
    { skills: [aSkill('owls')], tools: [aTool('clock')] },
    { policy: { callsPerTurn: { action: 3 } } },
  )
  await workspace.activateSkill('owls')
  await workspace.beginTurn()
  await workspace.callTool('owls_tool', {})
  const before = workspace.getAvailableTools()
  await workspace.callTool('owls_tool', {})
  expect(workspace.getAvailableTools()).toBe(before)
  await workspace.callTool('owls_tool', {})
  expect(workspace.getAvailableTools()).toEqual([])
})
