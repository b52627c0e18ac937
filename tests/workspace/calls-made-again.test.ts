import {
  createCatalog,
  createMemoryLog,
  defineTool,
  succeed,
  VirtualWorkspace,
  type Clock,
  type EventLog,
  type ToolResponse,
  type WorkspaceOptions,
} from 'loadout'
import { expect, test } from 'vitest'
import { available } from './a-workspace.ts'

const anyInput = { type: 'object', properties: { n: { type: 'number' } } } as const

/** The effects of the tools, in the world outside of every process. */
class World {
  readonly did: string[] = []

  do(what: string): void {
    this.did.push(what)
  }
}

type Act = (input: { n?: number }, context: { call: { id: string } }) => unknown

/** A process in a step, with two tools: `pay` may not run twice, and `read` may. */
async function aProcess(
  log: EventLog | undefined,
  world: World,
  options: Partial<WorkspaceOptions> = {},
  act: Act = ({ n = 0 }) => ({ n }),
): Promise<VirtualWorkspace> {
  const made = (name: string, more: object) =>
    defineTool({
      name,
      description: name,
      inputSchema: anyInput,
      execute: (input: { n?: number }, context) => {
        world.do(`${name} ${input.n ?? 0}`)
        return act(input, context)
      },
      ...more,
    })
  const catalog = await createCatalog({
    tools: [
      made('pay', { category: 'action' }),
      made('read', { category: 'retrieval', idempotent: true }),
    ],
  })
  const workspace = await VirtualWorkspace.open({
    catalog,
    metaTools: [],
    session: 's',
    ...(log && { log }),
    ...options,
  })
  // The step in which calls are made, and made again.
  if (workspace.state.step === 0) await workspace.beginStep()
  return workspace
}

const byModel = (call: string) => ({ caller: 'model', call }) as const

function dataOf(response: ToolResponse): unknown {
  return response.ok ? response.data : response.error
}

test('a call with the same id in the same step returns the recorded result, in this process and in the next', async () => {
  const log = createMemoryLog()
  const world = new World()
  const first = await aProcess(log, world)
  await first.beginStep()
  const response = await first.callTool('pay', { n: 7 }, byModel('c'))
  const again = await first.callTool('pay', { n: 7 }, byModel('c'))
  const later = await aProcess(log, world)
  const third = await later.callTool('pay', { n: 7 }, byModel('c'))
  expect(world.did).toEqual(['pay 7'])
  expect(response).toMatchObject({ ok: true, data: { n: 7 } })
  for (const one of [again, third]) {
    expect(one).toEqual({ ...response, meta: { ...response.meta, recorded: true } })
  }
  const entries = (await later.entries()).slice(-4)
  expect(entries.map(({ event }) => event.type)).toEqual([
    'call.started',
    'call.ended',
    'call.retried',
    'call.retried',
  ])
})

test('a session without a log returns the result as well', async () => {
  const world = new World()
  const workspace = await aProcess(undefined, world)
  const response = await workspace.callTool('pay', { n: 1 }, byModel('c'))
  expect(await workspace.callTool('pay', { n: 1 }, byModel('c'))).toEqual({
    ...response,
    meta: { ...response.meta, recorded: true },
  })
  expect(world.did).toEqual(['pay 1'])
})

test('a failure is recorded as well, with its message', async () => {
  const log = createMemoryLog()
  const world = new World()
  const act = () => {
    throw new Error('The card is blocked.')
  }
  const first = await aProcess(log, world, {}, act)
  const failed = await first.callTool('pay', {}, byModel('c'))
  const again = await (await aProcess(log, world)).callTool('pay', {}, byModel('c'))
  expect(dataOf(again)).toEqual(dataOf(failed))
  expect(dataOf(again)).toMatchObject({ message: expect.stringContaining('blocked') as string })
  expect(world.did).toEqual(['pay 0'])
})

test('a call of the same tool with the same id and other arguments is refused in its step', async () => {
  const log = createMemoryLog()
  const world = new World()
  await (await aProcess(log, world)).callTool('pay', { n: 1 }, byModel('c'))
  const refused = await (await aProcess(log, world)).callTool('pay', { n: 2 }, byModel('c'))
  expect(dataOf(refused)).toMatchObject({
    type: 'CONFLICT',
    partialSideEffects: false,
    details: { code: 'call-id-taken', tool: 'pay' },
  })
  expect(world.did).toEqual(['pay 1'])
})

test('calls of two tools with one id are two calls, and each is the same call when it is made again', async () => {
  const log = createMemoryLog()
  const world = new World()
  for (const _ of [1, 2]) {
    const workspace = await aProcess(log, world)
    const [paid, read] = await Promise.all([
      workspace.callTool('pay', { n: 1 }, byModel('c')),
      workspace.callTool('read', { n: 2 }, byModel('c')),
    ])
    expect([paid, read].map(dataOf)).toEqual([{ n: 1 }, { n: 2 }])
    expect(read.meta.call).not.toBe('c')
  }
  expect(world.did).toEqual(['pay 1', 'read 2'])
})

test('the same id in a later step is another call, and the session is warned once', async () => {
  const log = createMemoryLog()
  const world = new World()
  const workspace = await aProcess(log, world)
  for (let step = 0; step < 4; step += 1) {
    await workspace.beginStep()
    await workspace.callTool('pay', { n: 1 }, byModel('call_1'))
  }
  expect(world.did).toHaveLength(4)
  const warnings = (await workspace.entries()).filter(({ event }) => event.type === 'warning.given')
  expect(warnings).toMatchObject([{ event: { code: 'call-ids-repeat', subject: 'pay' } }])
})

test('two processes that make the same call at the same time run it once', async () => {
  const log = createMemoryLog()
  const world = new World()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  const act = async () => {
    begin()
    await done
    return { paid: true }
  }
  const [one, two] = [await aProcess(log, world, {}, act), await aProcess(log, world, {}, act)]
  const answers = [one, two, one].map((workspace) => workspace.callTool('pay', {}, byModel('c')))
  await begun
  finish()
  expect((await Promise.all(answers)).map(dataOf)).toEqual([
    { paid: true },
    { paid: true },
    { paid: true },
  ])
  expect(world.did).toEqual(['pay 0'])
})

/** A process that dies in the middle of a call. */
async function dieInACall(log: EventLog, world: World, tool: string, clock: Clock) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: never } = Promise.withResolvers<void>()
  const act = () => {
    begin()
    return never
  }
  const dead = await aProcess(log, world, { testing: { clock } }, act)
  void dead.callTool(tool, { n: 1 }, byModel('c'))
  await begun
}

function handClock(): Clock & { at: number } {
  const clock = { at: 1_000_000, now: () => clock.at, monotonic: () => clock.at }
  return clock
}

test.each([{ onlyProcess: true }, { onlyProcess: false }])(
  'a call whose process is gone runs again when its tool is idempotent, and is unknown otherwise: %o',
  async (options) => {
    for (const tool of ['read', 'pay']) {
      const log = createMemoryLog()
      const world = new World()
      const clock = handClock()
      await dieInACall(log, world, tool, clock)
      if (!options.onlyProcess) clock.at += 100_000
      const ids: string[] = []
      const next = await aProcess(log, world, { testing: { clock }, ...options }, (_, context) => {
        ids.push(context.call.id)
        return 'again'
      })
      const response = await next.callTool(tool, { n: 1 }, byModel('c'))
      if (tool === 'read') {
        expect(response).toMatchObject({ ok: true, data: 'again' })
        expect(ids).toEqual(['c'])
      } else {
        expect(dataOf(response)).toMatchObject({
          type: 'ABORTED',
          partialSideEffects: true,
          retryable: false,
          details: { code: 'call-outcome-unknown' },
        })
        expect(world.did).toEqual(['pay 1'])
      }
    }
  },
)

test('a call that a person approved and whose process died runs again without another question', async () => {
  const log = createMemoryLog()
  const world = new World()
  const policy = { permissions: { ask: [{ tool: 'read' }, { tool: 'pay' }] } }
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: never } = Promise.withResolvers<void>()
  const dead = await aProcess(log, world, { policy }, () => {
    begin()
    return never
  })
  await dead.callTool('read', { n: 1 }, byModel('c'))
  await dead.approve(dead.state.confirmations[0]?.id ?? '', { by: 'user' })
  void dead.callTool('read', { n: 1 }, { ...byModel('c'), resumes: 'c' })
  await begun
  const next = await aProcess(log, world, { policy, onlyProcess: true })
  const again = await next.callTool('read', { n: 1 }, { ...byModel('c'), resumes: 'c' })
  expect(dataOf(again)).toEqual({ n: 1 })
  expect(world.did).toEqual(['read 1', 'read 1'])
  // The yes was for that call: one with other arguments or another id asks.
  for (const [input, call] of [
    [{ n: 2 }, 'c'],
    [{ n: 1 }, 'd'],
  ] as const) {
    expect(dataOf(await next.callTool('read', input, byModel(call)))).toMatchObject({
      type: call === 'c' ? 'CONFLICT' : 'CONFIRMATION_REQUIRED',
    })
  }
})

test('a call whose process died again and again counts once', async () => {
  const log = createMemoryLog()
  const world = new World()
  const options = {
    policy: { callsPerTurn: { retrieval: 1 } },
    limits: { sameCalls: 1 },
    onlyProcess: true,
  }
  const { promise: never } = Promise.withResolvers<void>()
  for (let death = 0; death < 3; death += 1) {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const dead = await aProcess(log, world, options, () => {
      begin()
      return never
    })
    if (death === 0) await dead.beginTurn()
    await dead.beginStep({ history: [{ role: 'user', content: 'Read it.' }] })
    void dead.callTool('read', { n: 1 }, byModel('c'))
    await begun
  }
  const next = await aProcess(log, world, options)
  await next.beginStep({ history: [{ role: 'user', content: 'Read it.' }] })
  expect(await next.callTool('read', { n: 1 }, byModel('c'))).toMatchObject({ ok: true })
  expect(next.state).toMatchObject({
    callsThisTurn: { retrieval: 1 },
    callsInSession: 1,
    sameCalls: [{ times: 1 }],
    used: [{ tool: 'read', count: 1 }],
  })
  expect(dataOf(await next.callTool('read', { n: 2 }, byModel('d')))).toMatchObject({
    type: 'BUDGET_EXCEEDED',
  })
  await next.beginTurn()
  expect(await next.callTool('read', { n: 2 }, byModel('d'))).toMatchObject({ ok: true })
})

test('a call that waits for another process is aborted by its signal, and by the end of its workspace', async () => {
  const log = createMemoryLog()
  const world = new World()
  await dieInACall(log, world, 'pay', handClock())
  const next = await aProcess(log, world, { testing: { clock: handClock() } })
  const caller = new AbortController()
  const one = next.callTool('pay', { n: 1 }, { ...byModel('c'), signal: caller.signal })
  caller.abort(new Error('enough'))
  expect(await one).toMatchObject({ ok: false, error: { type: 'ABORTED' } })
  const two = next.callTool('pay', { n: 1 }, byModel('c'))
  await next.close()
  expect(await two).toMatchObject({ ok: false, error: { type: 'ABORTED' } })
  expect(world.did).toEqual(['pay 1'])
})

test('a background call that is made again is running, and is not started again', async () => {
  const log = createMemoryLog()
  const world = new World()
  const first = await aProcess(log, world)
  const options = { ...byModel('c'), background: true }
  const answer = await first.callTool('pay', {}, options)
  await first.calls.waitFor('c')
  const again = await (await aProcess(log, world)).callTool('pay', {}, options)
  expect(dataOf(again)).toEqual(dataOf(answer))
  expect(dataOf(again)).toEqual({ status: 'running', call: 'c' })
  expect(world.did).toEqual(['pay 0'])
})

test('without kept results a call that is made again does not run, and says so', async () => {
  const log = createMemoryLog()
  const world = new World()
  const options = { keepResults: false }
  const first = await aProcess(log, world, options)
  await first.callTool('pay', {}, byModel('c'))
  expect(dataOf(await first.callTool('pay', {}, byModel('c')))).toEqual({ n: 0 })
  const again = await (await aProcess(log, world, options)).callTool('pay', {}, byModel('c'))
  expect(dataOf(again)).toMatchObject({
    details: { code: 'result-not-kept' },
    message: expect.stringContaining('succeeded before') as string,
  })
  expect(world.did).toEqual(['pay 0'])
})

test('secrets are not in the recorded result', async () => {
  const log = createMemoryLog()
  const world = new World()
  const options = { redact: { secrets: ['hunter2-hunter2'] } }
  const act = () => ({ text: 'it is hunter2-hunter2' })
  const first = await aProcess(log, world, options, act)
  await first.callTool('pay', {}, byModel('c'))
  const again = await (await aProcess(log, world, options)).callTool('pay', {}, byModel('c'))
  expect(dataOf(again)).toEqual({ text: 'it is [redacted]' })
})

type BlobStore = NonNullable<WorkspaceOptions['blobs']>

function aBlobStore(): BlobStore & { readonly stored: Map<string, Uint8Array> } {
  const stored = new Map<string, Uint8Array>()
  return {
    stored,
    put: ({ digest, bytes }) => void stored.set(digest, bytes),
    get: (digest) => stored.get(digest) ?? null,
  }
}

const chart = () =>
  succeed(
    { drawn: true },
    {
      content: [
        { type: 'text', text: 'A chart.' },
        { type: 'image', mediaType: 'image/png', data: Buffer.from('iVBORw0KGgo=', 'base64') },
      ],
    },
  )

test('parts of a recorded result come from the blob store, or a sentence replaces them', async () => {
  const log = createMemoryLog()
  const world = new World()
  const blobs = aBlobStore()
  const response = await (
    await aProcess(log, world, { blobs }, chart)
  ).callTool('pay', {}, byModel('c'))
  const again = await (await aProcess(log, world, { blobs })).callTool('pay', {}, byModel('c'))
  expect(again).toEqual({ ...response, meta: { ...response.meta, recorded: true } })
  blobs.stored.clear()
  const without = await (await aProcess(log, world, { blobs })).callTool('pay', {}, byModel('c'))
  expect(without).toMatchObject({
    content: [
      { type: 'text', text: 'A chart.' },
      {
        type: 'text',
        text: 'An image was returned: image/png, 8 bytes. Its data was not kept.',
      },
    ],
  })
})

test('a request that is made again for the same history is the same step, and begins no step of its own', async () => {
  const log = createMemoryLog()
  const world = new World()
  const said = [{ role: 'user', content: 'Pay!' }] as const
  await (await aProcess(log, world)).beginStep({ history: said })
  await (await aProcess(log, world)).callTool('pay', { n: 1 }, byModel('c'))
  const next = await aProcess(log, world)
  await next.beginStep({ history: said })
  expect(dataOf(await next.callTool('pay', { n: 1 }, byModel('c')))).toEqual({ n: 1 })
  expect(world.did).toEqual(['pay 1'])
  // The model was asked again, and may answer with other arguments under the same id.
  expect(dataOf(await next.callTool('pay', { n: 2 }, byModel('c')))).toEqual({ n: 2 })
  await next.beginStep({ history: [...said, { role: 'assistant', content: 'c', calls: ['c'] }] })
  await next.callTool('pay', { n: 1 }, byModel('c'))
  expect(world.did).toEqual(['pay 1', 'pay 2', 'pay 1'])
})

test('a call of the history without a result is the same call in the step before, too', async () => {
  const log = createMemoryLog()
  const world = new World()
  const first = await aProcess(log, world)
  await first.beginStep()
  await first.callTool('pay', { n: 1 }, byModel('c'))
  await first.beginStep()
  const next = await aProcess(log, world)
  const resumed = await next.callTool('pay', { n: 1 }, { caller: 'model', resumes: 'c' })
  expect(dataOf(resumed)).toEqual({ n: 1 })
  await next.callTool('pay', { n: 2 }, { caller: 'model', resumes: 'c' })
  expect(world.did).toEqual(['pay 1', 'pay 2'])
})

test('a call of the history that a person is asked about has not run', async () => {
  const log = createMemoryLog()
  const world = new World()
  const policy = { permissions: { ask: [{ tool: 'pay' }] } }
  const open = () => aProcess(log, world, { policy })
  const first = await open()
  await first.beginStep()
  for (const _ of [1, 2]) {
    await first.callTool('pay', {}, byModel('call_1'))
    const [asked] = first.state.confirmations
    await first.approve(asked?.id ?? '', { by: 'user' })
    await first.callTool('pay', {}, { ...byModel('call_1'), resumes: 'call_1' })
    await first.beginStep()
  }
  expect(world.did).toEqual(['pay 0', 'pay 0'])
  expect(available(first)).toContain('pay')
})

test('a step keeps only so many calls', async () => {
  const world = new World()
  const workspace = await aProcess(createMemoryLog(), world)
  for (let n = 0; n < 520; n += 1) await workspace.callTool('read', { n }, byModel(`c${n}`))
  expect(workspace.state.stepCalls.calls).toHaveLength(500)
})

test('without a step an id that comes again is another call', async () => {
  const world = new World()
  const tick = defineTool({
    name: 'tick',
    description: 'Count.',
    category: 'retrieval',
    execute: () => {
      world.do('tick')
      return world.did.length
    },
  })
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools: [tick] }),
    metaTools: [],
  })
  const call = () => workspace.callTool('tick', {}, { caller: 'model', call: 'call_0' })
  expect(await call()).toMatchObject({ data: 1 })
  expect(await call()).toMatchObject({ data: 2 })
})
