import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ServerTerms } from 'loadout/mcp'
import type { ToolContext, VirtualWorkspace } from 'loadout'
import { aTool, aWorkspace } from '../a-workspace.ts'
import { MemoryServer } from './a-server.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

let workspace: VirtualWorkspace | undefined

afterEach(async () => {
  vi.useRealTimers()
  await workspace?.close()
})

/** A call whose time passes as the test says. The limit of the session is a second. */
async function aCall(terms: ServerTerms, client: ToolContext['elicit'] | null = null) {
  const server = new MemoryServer('srv', [aTool('srv_long')], { trusted: true })
  server.terms = () => terms
  const started = Promise.withResolvers<ToolContext>()
  const end = Promise.withResolvers<void>()
  server.onCall = (_, context) => {
    started.resolve(context)
    return end.promise
  }
  workspace = await aWorkspace(
    {},
    { limits: { timeoutMs: 1_000 }, ...(client && { client: { elicit: client } }) },
  )
  await workspace.attach(server)
  const result = workspace.callTool('srv_long', {})
  const context = await started.promise
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { result, context, pass, finish: end.resolve }
}

const failed = (message: string) => ({ ok: false, error: { type: 'TIMEOUT', message } })

test('a call of a server has the time of its terms', async () => {
  const { result, pass, finish } = await aCall({ timeoutMs: 5_000 })
  await pass(4_000)
  finish()
  expect(await result).toMatchObject({ ok: true })
})

test('a call of a server may have less time than others', async () => {
  const { result, pass } = await aCall({ timeoutMs: 200 })
  await pass(300)
  expect(await result).toMatchObject(failed('The tool did not finish within 200 ms.'))
})

test('progress starts the time of a call again, where its terms say so', async () => {
  const { result, context, pass, finish } = await aCall({ renewOnProgress: { upToMs: 10_000 } })
  for (let step = 0; step < 8; step += 1) {
    await pass(900)
    context.progress({ fraction: step / 8 })
  }
  finish()
  expect(await result).toMatchObject({ ok: true })
})

test('without such terms, progress gives no time', async () => {
  const { result, context, pass } = await aCall({})
  await pass(900)
  context.progress({ fraction: 0.5 })
  await pass(200)
  expect(await result).toMatchObject(failed('The tool did not finish within 1000 ms.'))
})

test('a call that reports nothing for its time ends', async () => {
  const { result, context, pass } = await aCall({ renewOnProgress: { upToMs: 10_000 } })
  await pass(900)
  context.progress({ fraction: 0.5 })
  await pass(1_100)
  const message = 'The tool did not finish or report progress within 1000 ms.'
  expect(await result).toMatchObject(failed(message))
})

test('progress gives a call no more than the most', async () => {
  const { result, context, pass } = await aCall({ renewOnProgress: { upToMs: 2_500 } })
  for (let step = 0; step < 6; step += 1) {
    await pass(500)
    context.progress({ message: `step ${step}` })
  }
  expect(await result).toMatchObject(failed('The tool did not finish within 2500 ms.'))
})

test('the time of a person is no time of the call, and progress meanwhile does not start it', async () => {
  const answer = Promise.withResolvers<{ action: 'decline' }>()
  const terms = { renewOnProgress: { upToMs: 2_000 } }
  const { result, context, pass, finish } = await aCall(terms, () => answer.promise)
  await pass(900)
  const asked = context.elicit({ message: 'Go on?', url: 'http://127.0.0.1/' })
  await pass(0)
  await pass(5_000)
  context.progress({ fraction: 0.5 })
  await pass(5_000)
  answer.resolve({ action: 'decline' })
  await asked
  context.progress({ fraction: 0.6 })
  await pass(900)
  finish()
  expect(await result).toMatchObject({ ok: true })
})
