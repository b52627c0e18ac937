import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WorkspaceError } from '../../../../src/kernel/workspace-error.ts'
import { ErrorType, ToolError } from '../../../../src/tools/response/error-type.ts'
import { fail, succeed } from '../../../../src/tools/response/tool-response.ts'
import type { ToolContext } from '../../../../src/tools/definition/tool-context.ts'
import type { Tool } from '../../../../src/tools/definition/tool.ts'
import {
  type HandlerEnd,
  type LateEnd,
  runHandler,
} from '../../../../src/workspace/calls/handlers/run-handler.ts'
import { BAD_HANDLERS } from './bad-handlers.ts'

const context: Omit<ToolContext, 'signal'> = {
  services: {},
  principal: undefined,
  call: { id: 'c1', tool: 'probe', owner: 'global', session: 's1', caller: 'host' },
  state: undefined,
  update: () => Promise.reject(new Error('not in this test')),
  progress: () => {},
  log: () => undefined,
  elicit: () => Promise.reject(new Error('nobody is asked')),
  sample: () => Promise.reject(new Error('nobody is asked')),
  roots: () => Promise.reject(new Error('nobody is asked')),
  callTool: () => Promise.reject(new Error('not in this test')),
  activeSkills: () => [],
  callableTools: () => [],
}

type Run = (input: unknown, context: ToolContext) => unknown
type Options = Partial<Parameters<typeof runHandler>[0]> & Partial<Pick<Tool, 'parseOutput'>>

/** Runs a handler with limits that a well-behaved one never meets. */
function call(
  run: Run | undefined,
  { parseOutput, ...options }: Options = {},
): Promise<HandlerEnd> {
  const tool = {
    name: 'probe',
    ...(run !== undefined && { execute: run }),
    ...(parseOutput !== undefined && { parseOutput }),
  } as unknown as Tool
  return runHandler({
    tool,
    input: {},
    context: (signal) => ({ ...context, signal }),
    signal: new AbortController().signal,
    timeoutMs: 5000,
    maxBytes: 10_000,
    contentBytes: 10_000,
    oversized: 'fail',
    stream: { outputs: 10, bytes: 20_000 },
    monotonic: () => performance.now(),
    ...options,
  })
}

/** Every promise reaction and every tick that is due has run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const rejections: unknown[] = []
const collect = (reason: unknown): void => void rejections.push(reason)

beforeEach(() => {
  rejections.length = 0
  process.on('unhandledRejection', collect)
})

afterEach(async () => {
  await settled()
  process.off('unhandledRejection', collect)
  expect(rejections).toEqual([])
})

function expectAnswer(outcome: HandlerEnd): void {
  expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome)
  expect(outcome.durationMs).toBeGreaterThanOrEqual(0)
  if (outcome.ok) return
  expect(Object.keys(ErrorType)).toContain(outcome.error.type)
  expect(outcome.error.message).not.toBe('')
  expect(typeof outcome.error.retryable).toBe('boolean')
  expect(typeof outcome.error.partialSideEffects).toBe('boolean')
}

const never = new Set(
  BAD_HANDLERS.flatMap(({ name, expected }) =>
    'error' in expected && expected.error === 'TIMEOUT' ? [name] : [],
  ),
)

describe('a handler that', () => {
  test.each(BAD_HANDLERS)('$name gets an answer', async ({ name, run, expected }) => {
    const outcome = await call((_, { signal }) => run({ signal }), {
      timeoutMs: never.has(name) ? 5 : 5000,
    })
    expectAnswer(outcome)
    if ('error' in expected) {
      expect(outcome).toMatchObject({ ok: false, error: { type: expected.error } })
      expect(!outcome.ok && outcome.error.message).toMatch(expected.says)
    } else {
      expect(outcome).toMatchObject({ ok: true, data: expected.data })
      expect(outcome.ok && JSON.stringify(outcome.data)).toBe(JSON.stringify(expected.data))
    }
  })

  test.each(BAD_HANDLERS)('$name is not run after an abort', async ({ run }) => {
    let ran = false
    const outcome = await call(
      (_, { signal }) => {
        ran = true
        return run({ signal })
      },
      { signal: AbortSignal.abort('left') },
    )
    expectAnswer(outcome)
    expect(ran).toBe(false)
    expect(outcome).toMatchObject({
      error: {
        type: 'ABORTED',
        message: 'The call was aborted: left',
        partialSideEffects: false,
      },
      durationMs: 0,
    })
  })

  test.each(BAD_HANDLERS)(
    '$name gets an answer when it is aborted while it runs',
    async ({ run }) => {
      const outer = new AbortController()
      const closing = new WorkspaceError('CLOSED', 'The workspace closes.')
      const running = call((_, { signal }) => run({ signal }), { signal: outer.signal })
      outer.abort(closing)
      const outcome = await running
      expectAnswer(outcome)
      // The abort comes before any promise of the handler has settled.
      expect(outcome).toMatchObject({
        error: { type: 'ABORTED', message: 'The call was aborted: The workspace closes.' },
      })
      expect(getEventListeners(outer.signal, 'abort')).toEqual([])
    },
  )

  test.each(BAD_HANDLERS)(
    '$name gets an answer when it closes the workspace itself',
    async ({ run }) => {
      const outer = new AbortController()
      const outcome = await call(
        (_, { signal }) => {
          outer.abort('closing')
          return run({ signal })
        },
        { signal: outer.signal },
      )
      expectAnswer(outcome)
      expect(outcome).toMatchObject({ error: { type: 'ABORTED', partialSideEffects: true } })
      expect(getEventListeners(outer.signal, 'abort')).toEqual([])
    },
  )

  test.each(BAD_HANDLERS)('$name as its signal is aborted is late', async ({ run }) => {
    const outer = new AbortController()
    const late: LateEnd[] = []
    const running = call(
      async (_, { signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return run({ signal })
      },
      { signal: outer.signal, onLate: (end) => late.push(end) },
    )
    outer.abort()
    expect(await running).toMatchObject({ error: { type: 'ABORTED' } })
    await settled()
    expect(late.length).toBeLessThanOrEqual(1)
  })
})

test('the whole table at once leaves no timer, listener or unhandled rejection', async () => {
  expect(BAD_HANDLERS.length).toBeGreaterThanOrEqual(40)
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  const before = timers()
  const outer = new AbortController()
  const running = BAD_HANDLERS.flatMap(({ name, run }) => [
    call((_, { signal }) => run({ signal }), { signal: outer.signal, timeoutMs: 3 }),
    call((_, { signal }) => run({ signal }), {
      signal: outer.signal,
      timeoutMs: never.has(name) ? 5 : 600_000,
    }),
  ])
  for (const outcome of await Promise.all(running)) expectAnswer(outcome)
  await settled()
  expect(getEventListeners(outer.signal, 'abort')).toEqual([])
  // The test runner has timers of its own while it reports. A timer of a call would stay for longer.
  const until = performance.now() + 30_000
  while (timers() > before && performance.now() < until) await settled()
  expect(timers()).toBeLessThanOrEqual(before)
})

describe('a late end', () => {
  test.each([
    { way: 'returns', end: 'returned', finish: (p: PromiseWithResolvers<unknown>) => p.resolve(1) },
    {
      way: 'returns promises that reject',
      end: 'returned',
      finish: (p: PromiseWithResolvers<unknown>) => p.resolve([Promise.reject(new Error('x'))]),
    },
    {
      way: 'rejects',
      end: 'threw',
      finish: (p: PromiseWithResolvers<unknown>) => p.reject(new Error('late')),
    },
  ])('of a handler that $way after its time limit is reported once', async ({ end, finish }) => {
    const late: LateEnd[] = []
    const work = Promise.withResolvers<unknown>()
    const outcome = await call(() => work.promise, {
      timeoutMs: 2,
      onLate: (how) => late.push(how),
    })
    expect(outcome).toMatchObject({
      error: {
        type: 'TIMEOUT',
        message: 'The tool did not finish within 2 ms.',
        details: { timeoutMs: 2 },
      },
    })
    expect(late).toEqual([])
    finish(work)
    await settled()
    expect(late).toEqual([end])
  })

  test('is not looked at: no getter of it runs', async () => {
    const work = Promise.withResolvers<unknown>()
    await call(() => work.promise, { timeoutMs: 2 })
    let read = false
    work.resolve({
      get a() {
        return (read = true)
      },
    })
    await settled()
    expect(read).toBe(false)
  })
})

describe('the signal of a handler', () => {
  test('carries a TimeoutError at the time limit', async () => {
    let reason: unknown
    await call(
      (_, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => (reason = signal.reason))
        }),
      { timeoutMs: 2 },
    )
    expect(reason).toMatchObject({ name: 'TimeoutError' })
  })

  test('carries the reason of an abort from outside', async () => {
    const outer = new AbortController()
    let reason: unknown
    const running = call(
      (_, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => (reason = signal.reason))
        }),
      { signal: outer.signal },
    )
    outer.abort('skill left')
    await running
    expect(reason).toBe('skill left')
  })

  test('is not aborted by an answer, nor by an abort after it', async () => {
    const outer = new AbortController()
    let seen: AbortSignal | undefined
    await call((_, { signal }) => (seen = signal) && 1, { signal: outer.signal })
    outer.abort()
    expect(seen?.aborted).toBe(false)
  })
})

test('a limit longer than a timer can wait is no limit of zero', async () => {
  const outcome = await call(() => settled().then(() => 'done'), { timeoutMs: Infinity })
  expect(outcome).toMatchObject({ ok: true, data: 'done' })
})

test('the handler is called as a method, with its input', async () => {
  const outcome = await call(function (this: Tool, input) {
    return [this.name, input]
  })
  expect(outcome).toMatchObject({ data: ['probe', {}] })
})

test('a tool without a handler is unbound', async () => {
  expect(await call(undefined)).toMatchObject({
    error: { type: 'UNBOUND', message: 'The tool "probe" has no handler here.' },
  })
})

test('the duration is what the clock says, to the microsecond', async () => {
  const times = [10, 12.3456789]
  const outcome = await call(() => 1, { monotonic: () => times.shift() ?? NaN })
  expect(outcome.durationMs).toBe(2.346)
})

describe('a thrown error', () => {
  test('of our own type keeps type, traits and the details that are data', async () => {
    const outcome = await call(() => {
      throw new ToolError('TRANSIENT', 'Try again.', {
        partialSideEffects: true,
        details: { after: 3, handle: 1n },
      })
    })
    expect(outcome).toMatchObject({
      error: {
        type: 'TRANSIENT',
        message: 'Try again.',
        retryable: true,
        partialSideEffects: true,
        details: {
          after: 3,
          handle: '(left out: it holds a bigint, which JSON cannot carry)',
        },
      },
    })
  })

  test('of the system keeps its name and code', async () => {
    const outcome = await call(() => {
      throw Object.assign(new Error('open failed'), { code: 'ENOENT' })
    })
    expect(outcome).toMatchObject({
      error: { type: 'INTERNAL', details: { name: 'Error', code: 'ENOENT' } },
    })
  })
})

describe('a returned envelope', () => {
  test('gives its data and intents', async () => {
    const outcome = await call(() => ({
      ok: true,
      data: { id: 1 },
      intents: [
        { type: 'SUPPRESS_AUDIO', when: 'now', payload: { ms: 5 }, extra: 1 },
        { type: 'OURS', when: 'next-turn' },
      ],
      meta: { tool: 'forged' },
    }))
    expect(outcome).toEqual({
      ok: true,
      meta: { tool: 'forged' },
      data: { id: 1 },
      intents: [
        { type: 'SUPPRESS_AUDIO', when: 'now', payload: { ms: 5 }, extra: 1 },
        { type: 'OURS', when: 'next-turn' },
      ],
      durationMs: expect.any(Number) as number,
    })
  })

  test('may leave its intents out, and have no data to speak of', async () => {
    expect(await call(() => succeed(7))).toMatchObject({ ok: true, data: 7, intents: [] })
    expect(await call(() => succeed(undefined))).toMatchObject({ ok: true, data: null })
    const intents = [{ type: 'OURS', when: 'now' }] as const
    expect(await call(() => succeed(undefined, { intents }))).toMatchObject({ data: null, intents })
  })

  test('returns the facts its handler added to the answer', async () => {
    const meta = { cached: true }
    expect(await call(() => succeed(1, { meta }))).toMatchObject({ ok: true, meta })
    expect(await call(() => ({ ...fail('AUTH', 'No.'), meta }))).toMatchObject({ ok: false, meta })
  })

  test('has a warning for undefined in lists, which is null there', async () => {
    const holes = () => ({ rows: [1, undefined], more: [undefined, undefined] })
    const meta = (where: string) => ({
      warnings: [
        `The result holds undefined in a list, at ${where}. JSON has no undefined, so it is null there.`,
      ],
    })
    expect(await call(holes)).toMatchObject({
      data: { rows: [1, null], more: [null, null] },
      meta: meta('/rows/1 and 2 more places'),
    })
    const parseOutput = () => Promise.resolve({ ok: true as const, value: [undefined] })
    expect(await call(() => [1], { parseOutput })).toMatchObject({
      data: [null],
      meta: meta('/0'),
    })
    expect(await call(() => ({ left: undefined, out: [null] }))).not.toHaveProperty('meta')
  })

  test('of a failure keeps traits that are stated and fills in those that are not', async () => {
    const outcome = await call(() => ({
      ok: false,
      error: { type: 'CONFLICT', message: 'Changed meanwhile.', retryable: true },
    }))
    expect(outcome).toMatchObject({
      error: {
        type: 'CONFLICT',
        message: 'Changed meanwhile.',
        retryable: true,
        partialSideEffects: false,
        details: {},
      },
    })
  })
})

describe('output validation', () => {
  test.each<{ name: string; parseOutput: unknown; says: RegExp; type?: ErrorType }>([
    {
      name: 'refuses',
      parseOutput: () => ({ ok: false, issues: [{ path: '/id', message: 'must be text' }] }),
      says: /output schema: \/id must be text/,
    },
    {
      name: 'throws',
      parseOutput: () => {
        throw new Error('parser')
      },
      says: /Checking the result threw: parser/,
    },
    {
      name: 'rejects',
      parseOutput: () => Promise.reject(new Error('parser')),
      says: /Checking the result threw: parser/,
    },
    { name: 'answers nonsense', parseOutput: () => undefined, says: /Checking the result threw/ },
    {
      name: 'transforms into what is no data',
      parseOutput: () => Promise.resolve({ ok: true, value: new Map() }),
      says: /a Map/,
    },
    {
      name: 'hangs',
      parseOutput: () => new Promise(() => {}),
      says: /within 5 ms/,
      type: 'TIMEOUT',
    },
  ])('that $name is an answer', async ({ parseOutput, says, type = 'BAD_OUTPUT' }) => {
    const outcome = await call(() => ({ id: 1 }), {
      parseOutput: parseOutput as NonNullable<Tool['parseOutput']>,
      timeoutMs: type === 'TIMEOUT' ? 5 : 5000,
    })
    expectAnswer(outcome)
    expect(outcome).toMatchObject({ error: { type } })
    expect(!outcome.ok && outcome.error.message).toMatch(says)
  })

  test('sees the data of an envelope, and its transforms count', async () => {
    const outcome = await call(() => ({ ok: true, data: 2, intents: [] }), {
      parseOutput: (value) => Promise.resolve({ ok: true, value: { twice: Number(value) * 2 } }),
    })
    expect(outcome).toMatchObject({ ok: true, data: { twice: 4 } })
  })
})
