import { AsyncLocalStorage } from 'node:async_hooks'
import { createRedactor, type ToolResponse } from 'loadout'
import type { WrappedCall } from 'loadout/adapter'
import { expect, test, vi } from 'vitest'
import { aTool, aWorkspace } from '../a-workspace.ts'

const SECRET = 'correct-horse-battery'

test('code around a call sees the request and the answer, in the order in which it was added', async () => {
  const workspace = await aWorkspace({ tools: [aTool('one')] })
  const seen: string[] = []
  const stops = ['outer', 'inner'].map((name) =>
    workspace.calls.wrap(async ({ call, request }, run) => {
      seen.push(`${name} ${call} ${request.tool} ${JSON.stringify(request.input)}`)
      const answer = await run()
      seen.push(`${name} ${answer.ok}`)
    }),
  )
  expect(await workspace.callTool('one', {}, { call: 'c1' })).toMatchObject({ data: 'one' })
  expect(seen).toEqual(['outer c1 one {}', 'inner c1 one {}', 'inner true', 'outer true'])
  for (const stop of stops) stop()
  await workspace.callTool('one', {})
  expect(seen).toHaveLength(4)
})

test('handlers, listeners and nested calls run in the async context of the code around', async () => {
  const scope = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const outer = aTool('outer', {
    execute: async (_, ctx) => {
      seen.push(scope.getStore())
      await ctx.callTool('inner', {})
    },
  })
  const inner = aTool('inner', { execute: () => void seen.push(scope.getStore()) })
  const workspace = await aWorkspace({ tools: [outer, inner] })
  workspace.subscribe(() => seen.push(scope.getStore()))
  workspace.calls.wrap(({ request }, run) =>
    scope.run([scope.getStore(), request.tool].join('/'), run),
  )
  await workspace.callTool('outer', {})
  expect(seen).toEqual([
    '/outer',
    '/outer',
    '/outer/inner',
    '/outer/inner',
    '/outer/inner',
    '/outer',
  ])
})

test('code around a call may wait before the call, and the answer waits for what it does after', async () => {
  const scope = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const workspace = await aWorkspace({
    tools: [aTool('one', { execute: () => void seen.push(scope.getStore()) })],
  })
  workspace.calls.wrap(async (_, run) => {
    await Promise.resolve()
    await scope.run('within', run)
    await new Promise(setImmediate)
    seen.push('after')
  })
  await workspace.callTool('one', {})
  expect(seen).toEqual(['within', 'after'])
})

test('a refused call, and one of a closed workspace, is wrapped, too', async () => {
  const workspace = await aWorkspace({})
  const answers: ToolResponse[] = []
  workspace.calls.wrap(async (_, run) => answers.push(await run()))
  const unknown = await workspace.callTool('none', {})
  await workspace.close()
  const closed = await workspace.callTool('none', {})
  expect(answers).toEqual([unknown, closed])
})

test('a call in the background answers at once, and the code around it sees its end', async () => {
  const done = Promise.withResolvers<string>()
  const slow = aTool('slow', { background: true, execute: () => done.promise })
  const workspace = await aWorkspace({ tools: [slow] })
  const ends: ToolResponse[] = []
  workspace.calls.wrap(async (_, run) => ends.push(await run()))
  expect(await workspace.callTool('slow', {}, { call: 'c1' })).toMatchObject({
    data: { status: 'running' },
  })
  expect(ends).toEqual([])
  done.resolve('ready')
  await workspace.calls.waitFor('c1')
  await expect.poll(() => ends).toMatchObject([{ ok: true, data: 'ready' }])
})

test.each([
  [
    'throws before the call',
    () => {
      throw new Error('broken')
    },
  ],
  [
    'throws after the call',
    async (_: WrappedCall, run: () => Promise<unknown>) => {
      await run()
      throw new Error('broken')
    },
  ],
  ['never makes the call', () => undefined],
  [
    'makes the call twice',
    (_: WrappedCall, run: () => Promise<unknown>) => Promise.all([run(), run()]),
  ],
])('code around a call that %s changes nothing: the call is made once', async (_, wrapper) => {
  const emitWarning = vi.spyOn(process, 'emitWarning').mockReturnValue()
  let runs = 0
  const workspace = await aWorkspace({ tools: [aTool('one', { execute: () => (runs += 1) })] })
  workspace.calls.wrap(wrapper)
  expect(await workspace.callTool('one', {})).toMatchObject({ ok: true, data: 1 })
  expect(emitWarning.mock.calls.map(([message]) => message)).toEqual(
    wrapper.toString().includes('broken') ? ['broken'] : [],
  )
  await workspace.close()
  emitWarning.mockRestore()
})

test.each([
  ['of the session', { secrets: [SECRET] }, { note: SECRET, password: 'x7' }],
  ['by default', undefined, { note: 'plain', password: 'x7' }],
])('secrets are hidden by the rules %s', async (_, redact, value) => {
  const workspace = await aWorkspace({}, redact && { redact })
  const shown: unknown[] = []
  workspace.calls.wrap((call) => shown.push(call.redact(value)))
  await workspace.callTool('none', {})
  expect(shown).toEqual([createRedactor(redact ?? {}).value(value)])
  expect(JSON.stringify(shown)).not.toMatch(/x7|horse/)
})
