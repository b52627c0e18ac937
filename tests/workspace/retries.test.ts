import { ToolError, type ToolContext, type WorkspaceOptions } from 'loadout'
import type { CallOutput } from '../../src/tools/definition/tool-context.ts'
import { expect, test } from 'vitest'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

/** A tool that fails so often before it answers with the number of its attempt. */
function failing(times: number, how: () => unknown, more: object = {}) {
  const seen = { attempts: 0 }
  const tool = aTool('flaky', {
    category: 'retrieval',
    ...more,
    execute: () => {
      seen.attempts += 1
      if (seen.attempts <= times) throw how()
      return seen.attempts
    },
  })
  return { tool, seen }
}

const soon = (): ToolError => new ToolError('TRANSIENT', 'The shop is restarting.')

/** No delay at all, so that nothing has to be waited for. */
const atOnce: Pick<WorkspaceOptions, 'testing'> = { testing: { randomness: () => 0 } }

test('a call that fails for a while is tried again, as one call in the log', async () => {
  const { tool, seen } = failing(2, soon)
  const workspace = await aWorkspace({}, { tools: [tool], ...atOnce })
  expect(await workspace.callTool('flaky', {})).toMatchObject({
    ok: true,
    data: 3,
    meta: { attempts: 3 },
  })
  const events = (await workspace.entries(2)).map(({ event }) => event)
  expect(events).toMatchObject([
    { type: 'call.started' },
    { type: 'call.ended', ok: true, attempts: 3 },
  ])
  expect(seen.attempts).toBe(3)
})

test.each<{ what: string; times: number; how: () => unknown; more?: object; attempts: number }>([
  { what: 'an answer at once', times: 0, how: soon, attempts: 1 },
  { what: 'a failure that goes on', times: 9, how: soon, attempts: 3 },
  {
    what: 'more retries of the tool’s own',
    times: 9,
    how: soon,
    more: { retries: 4 },
    attempts: 5,
  },
  { what: 'no retries of the tool’s own', times: 9, how: soon, more: { retries: 0 }, attempts: 1 },
  {
    what: 'a tool that does not say its category',
    times: 9,
    how: soon,
    more: { category: undefined },
    attempts: 1,
  },
  {
    what: 'a tool that must not be repeated',
    times: 9,
    how: soon,
    more: { category: 'action' },
    attempts: 1,
  },
  {
    what: 'an action that may be repeated',
    times: 9,
    how: soon,
    more: { category: 'action', idempotent: true },
    attempts: 3,
  },
  {
    what: 'a failure that stays',
    times: 9,
    how: () => new ToolError('PERMANENT', 'No such order.'),
    attempts: 1,
  },
  {
    what: 'a failure that says it may pass',
    times: 9,
    how: () => new ToolError('CONFLICT', 'Locked.', { retryable: true }),
    attempts: 3,
  },
  {
    what: 'one that asks for more time than there is',
    times: 9,
    how: () => new ToolError('RATE_LIMIT', 'Later.', { details: { retryAfterMs: 60_001 } }),
    attempts: 1,
  },
  { what: 'an error of no type', times: 9, how: () => new Error('bug'), attempts: 1 },
])('$what takes $attempts attempts', async ({ times, how, more = {}, attempts }) => {
  const { tool, seen } = failing(times, how, more)
  const workspace = await aWorkspace({}, { tools: [tool], ...atOnce })
  const response = await workspace.callTool('flaky', {})
  expect(response.ok).toBe(times === 0)
  expect(seen.attempts).toBe(attempts)
  expect(response.meta['attempts']).toBe(attempts === 1 ? undefined : attempts)
  const ended = (await workspace.entries()).at(-1)?.event
  expect(ended).toHaveProperty('type', 'call.ended')
  expect('attempts' in (ended ?? {})).toBe(attempts > 1)
})

test('a session says how often by its limits', async () => {
  const { tool, seen } = failing(9, soon)
  const workspace = await aWorkspace({}, { tools: [tool], limits: { retries: 6 }, ...atOnce })
  await workspace.callTool('flaky', {})
  expect(seen.attempts).toBe(7)
})

test('all attempts together keep to the time limit of the call', async () => {
  let monotonic = 0
  const slow = aTool('slow', {
    category: 'retrieval',
    timeoutMs: 60_000,
    retries: 1_000,
    execute: () => {
      monotonic += 25_000
      throw soon()
    },
  })
  const clock = { now: () => 0, monotonic: () => monotonic }
  const workspace = await aWorkspace({}, { tools: [slow], testing: { clock, ...atOnce.testing } })
  expect(await workspace.callTool('slow', {})).toMatchObject({
    ok: false,
    error: { type: 'TRANSIENT' },
    meta: { attempts: 3, durationMs: 75_000 },
  })
})

test('an attempt has what the ones before it left of the time limit', async () => {
  let monotonic = 0
  let attempts = 0
  const stuck = aTool('stuck', {
    category: 'retrieval',
    timeoutMs: 60_000,
    execute: () => {
      attempts += 1
      if (attempts === 2) return new Promise(() => {})
      monotonic += 59_999
      throw soon()
    },
  })
  const clock = { now: () => 0, monotonic: () => monotonic }
  const workspace = await aWorkspace({}, { tools: [stuck], testing: { clock, ...atOnce.testing } })
  expect(await workspace.callTool('stuck', {})).toMatchObject({
    error: { type: 'TIMEOUT', message: 'The tool did not finish within 60000 ms.' },
  })
})

test('who gives up while a call waits for its next attempt has the answer at once', async () => {
  const failed = Promise.withResolvers<void>()
  const flaky = aTool('flaky', {
    category: 'retrieval',
    timeoutMs: 60_000,
    execute: () => {
      failed.resolve()
      throw new ToolError('RATE_LIMIT', 'Later.', { details: { retryAfterMs: 30_000 } })
    },
  })
  const workspace = await aWorkspace({}, { tools: [flaky], ...atOnce })
  const caller = new AbortController()
  const call = workspace.callTool('flaky', {}, { signal: caller.signal })
  await failed.promise
  await new Promise((resolve) => setImmediate(resolve))
  caller.abort(new Error('the user went home'))
  expect(await call).toMatchObject({
    ok: false,
    error: { type: 'ABORTED', message: expect.stringContaining('the user went home') },
  })
  expect((await workspace.entries()).at(-1)?.event).not.toHaveProperty('attempts')
})

test('a skill that leaves ends the wait of its calls, too', async () => {
  const failed = Promise.withResolvers<void>()
  const flaky = aTool('flaky', {
    category: 'retrieval',
    execute: () => {
      failed.resolve()
      throw new ToolError('RATE_LIMIT', 'Later.', { details: { retryAfterMs: 30_000 } })
    },
  })
  const skill = aSkill('shop', { tools: [flaky] })
  const workspace = await aWorkspace({ skills: [skill] }, { limits: { drainMs: 0 }, ...atOnce })
  await workspace.activateSkill('shop')
  const call = workspace.callTool('flaky', {})
  await failed.promise
  await workspace.deactivateSkill('shop')
  expect(await call).toMatchObject({ error: { type: 'ABORTED' } })
})

test('an attempt that is tried again streams from the beginning, and is over for its handler', async () => {
  const contexts: ToolContext[] = []
  const flaky = aTool('flaky', {
    category: 'retrieval',
    async *execute(_: unknown, context: ToolContext) {
      contexts.push(context)
      yield await Promise.resolve('started')
      if (contexts.length === 1) throw soon()
      return 'done'
    },
  } as never)
  const outputs: unknown[] = []
  const progress: unknown[] = []
  const workspace = await aWorkspace(
    {},
    { tools: [flaky], ...atOnce, onProgress: ({ message }) => progress.push(message) },
  )
  const onOutput = ({ attempt, index, output }: CallOutput) =>
    void outputs.push([attempt, index, output])
  expect(await workspace.callTool('flaky', {}, { onOutput })).toMatchObject({ data: 'done' })
  expect(outputs).toEqual([
    [1, 0, 'started'],
    [2, 0, 'started'],
  ])
  contexts[0]?.progress({ message: 'still here' })
  expect(progress).toEqual([])
})
