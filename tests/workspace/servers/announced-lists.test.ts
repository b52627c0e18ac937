import { createMemoryLog, type EventLog, type VirtualWorkspace } from 'loadout'
import type { ServerListing } from 'loadout/mcp'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../src/workspace/log/clock.ts'
import { aTool, aWorkspace } from '../a-workspace.ts'
import { MemoryServer } from './a-server.ts'

const opened: VirtualWorkspace[] = []

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close()
})

/** A clock whose time is set, and the pauses that were asked for, each of which ends when it is told to. */
function aClock() {
  const pauses: { ms: number; end(): void; signal: AbortSignal }[] = []
  const clock = {
    time: 0,
    now: () => systemClock.now(),
    monotonic: () => clock.time,
    pause(ms: number, signal: AbortSignal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      pauses.push({ ms, end: resolve, signal })
      return promise
    },
  }
  return { clock, pauses }
}

async function aSession(log: EventLog = createMemoryLog()) {
  const { clock, pauses } = aClock()
  const server = new MemoryServer('srv', [aTool('srv_load')], { trusted: true })
  const workspace = await aWorkspace({}, { testing: { clock }, log })
  opened.push(workspace)
  expect(await workspace.attach(server)).toMatchObject({ ok: true })
  const { promise, resolve, reject } = Promise.withResolvers<ServerListing>()
  const give = (...names: readonly string[]) => {
    server.change([...server.tools, ...names.map((name) => aTool(name))])
    resolve({ tools: server.tools, leftOut: [] })
  }
  return { server, workspace, clock, pauses, announced: promise, give, reject }
}

const names = async (workspace: VirtualWorkspace) =>
  (await workspace.beginStep()).tools.map(({ name }) => name)

/** Every promise reaction that is due has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a step waits for a list that its server announced', async () => {
  const { server, workspace, announced, give, pauses } = await aSession()
  server.announce(announced)
  let isOver = false
  const step = names(workspace).finally(() => (isOver = true))
  await settled()
  expect([isOver, workspace.explain('srv_load').health?.status]).toEqual([false, 'changed'])
  give('srv_beta')
  expect(await step).toEqual(['srv_load', 'srv_beta'])
  expect(pauses.map(({ ms, signal }) => [ms, signal.aborted])).toEqual([[2_000, true]])
  expect(workspace.explain('srv_beta').health).toMatchObject({ status: 'connected', problem: null })
})

test('a call of an unknown name waits for the list, and one of another owner does not', async () => {
  const { server, workspace, announced, give } = await aSession()
  await workspace.registerTool(aTool('own'))
  server.announce(announced)
  expect(await workspace.callTool('own', {})).toMatchObject({ ok: true })
  const called = workspace.callTool('srv_beta', {}, { caller: 'model', call: '1' })
  await settled()
  give('srv_beta')
  expect(await called).toMatchObject({ ok: true, data: 'srv did srv_beta' })
})

test('a list that does not come is waited for until two seconds after it was announced, once', async () => {
  const { server, workspace, announced, give, clock, pauses } = await aSession()
  server.announce(announced)
  clock.time = 500
  const step = names(workspace)
  await settled()
  expect(pauses.map(({ ms }) => ms)).toEqual([1_500])
  clock.time = 2_000
  pauses[0]?.end()
  expect(await step).toEqual(['srv_load'])
  expect(await names(workspace)).toEqual(['srv_load'])
  const unknown = await workspace.callTool('srv_beta', {}, { caller: 'model', call: '1' })
  expect(unknown).toMatchObject({ ok: false, error: { type: 'NOT_FOUND' } })
  expect(pauses).toHaveLength(1)
  expect(workspace.explain('srv_beta').because[0]?.text).toContain('announced other tools')
  give('srv_beta')
  await settled()
  expect(await names(workspace)).toEqual(['srv_load', 'srv_beta'])
})

test('a list that cannot be read holds no step up, and the tools of the list before stay', async () => {
  const { server, workspace, announced, reject } = await aSession()
  server.announce(announced)
  const step = names(workspace)
  reject(new Error('It fell over.'))
  expect(await step).toEqual(['srv_load'])
  expect(workspace.figures.servers()).toMatchObject([
    { server: 'srv', status: 'failed-refresh', problem: 'It fell over.' },
  ])
  server.change([aTool('srv_other')])
  expect(await names(workspace)).toEqual(['srv_other'])
  expect(workspace.figures.servers()).toMatchObject([{ status: 'connected', problem: null }])
})

test.each(['read', 'not read'])(
  'explain knows of a list that is announced while the one before is registered, or is %s',
  async (outcome) => {
    const { server, workspace } = await aSession()
    const first = Promise.withResolvers<ServerListing>()
    const next = Promise.withResolvers<ServerListing>()
    server.announce(first.promise)
    server.announce(next.promise)
    if (outcome === 'read') first.resolve({ tools: server.tools, leftOut: [] })
    else first.reject(new Error('It fell over.'))
    await settled()
    const { status, because, health } = workspace.explain('srv_load')
    expect([status, health?.status]).toEqual(['available', 'changed'])
    expect(because.at(-1)?.text).toContain('announced other tools, which are being read')
    next.resolve({ tools: [], leftOut: [] })
    await names(workspace)
    expect(workspace.explain('srv_load').status).not.toBe('available')
    expect(workspace.figures.servers()).toMatchObject([{ status: 'connected', problem: null }])
  },
)

test('explain knows that the tools of a new connection are not yet registered', async () => {
  const log = createMemoryLog()
  const { server, workspace } = await aSession({
    ...log,
    append: async (...given) => {
      await settled()
      return log.append(...given)
    },
  })
  server.lose()
  server.tools = [aTool('srv_beta')]
  const called = workspace.callTool('srv_load', {})
  const seen = new Set<string | undefined>()
  for (let status = 'available'; status === 'available'; await settled()) {
    const explained = workspace.explain('srv_load')
    status = explained.status
    if (status === 'available') seen.add(explained.health?.status)
  }
  expect(await called).toMatchObject({ ok: false, error: { type: 'UNAVAILABLE' } })
  expect([...seen]).toEqual(['cut', 'listing'])
})

test('a call that is aborted waits no longer for a list', async () => {
  const { server, workspace, announced } = await aSession()
  server.announce(announced)
  const end = new AbortController()
  const called = workspace.callTool('srv_beta', {}, { signal: end.signal })
  await settled()
  end.abort(new Error('Never mind.'))
  expect(await called).toMatchObject({ ok: false, error: { type: 'ABORTED' } })
})

test('a lost connection is cut, with the reason, until the next call connects', async () => {
  const { server, workspace } = await aSession()
  server.lose()
  const { status, because, health } = workspace.explain('srv_load')
  expect([status, health?.status]).toEqual(['available', 'cut'])
  expect(because.at(-1)?.text).toContain('was cut, and the next call connects again')
  expect(because.at(-1)?.text).toContain('It is gone.')
  await workspace.callTool('srv_load', {})
  expect(workspace.explain('srv_load').health?.status).toBe('connected')
})
