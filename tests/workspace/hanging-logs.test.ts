import { createMemoryLog, defineAgent, type EventLog, type VirtualWorkspace } from 'loadout'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'
import { MemoryServer } from './servers/a-server.ts'

type Method = 'append' | 'read' | 'has' | 'put' | 'get' | 'latest' | 'follow' | 'unfollow'

/** A log of which calls hang until they are released, and are then done. It counts its followers. */
function aHangingLog() {
  const { immediate: _immediate, snapshots, definitions, ...log } = createMemoryLog()
  const released = Promise.withResolvers<void>()
  const seen = { followers: 0, hanging: Promise.withResolvers<void>() }
  let stuck: { readonly method: Method; skip: number } | undefined
  const made =
    <T extends unknown[], R>(method: Method, work: (...given: T) => Promise<R>) =>
    async (...given: T): Promise<R> => {
      if (stuck?.method === method && stuck.skip-- <= 0) {
        seen.hanging.resolve()
        await released.promise
      }
      return work(...given)
    }
  const slow: EventLog = {
    ...log,
    append: made('append', log.append),
    read: made('read', log.read),
    definitions: {
      has: made('has', definitions.has),
      put: made('put', definitions.put),
      get: made('get', definitions.get),
    },
    ...(snapshots && {
      snapshots: { ...snapshots, latest: made('latest', snapshots.latest) },
    }),
    follow: made('follow', async (session: string, listener: () => void) => {
      const stop = await log.follow(session, listener)
      seen.followers += 1
      return made('unfollow', async () => {
        seen.followers -= 1
        await stop()
      })
    }),
  }
  /** Makes a method hang, after some more calls of it. */
  const hang = (method: Method, skip = 0) => void (stuck = { method, skip })
  const release = () => {
    stuck = undefined
    released.resolve()
    return vi.advanceTimersByTimeAsync(0)
  }
  return { slow, seen, hang, release }
}

const AGENT = defineAgent({ name: 'keeper', initialSkills: ['owls', 'bats'] })

const LIMIT_MS = 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

afterEach(() => void vi.useRealTimers())

/** Opens a session that follows its log, and whose first skill brings a server. */
function anOpening(log: EventLog) {
  const server = new MemoryServer('owlery', [aTool('hoot')])
  const skills = [aSkill('owls', { servers: ['owlery'] }), aSkill('bats')]
  const opening = aWorkspace(
    { skills, servers: [server], agents: [AGENT] },
    { log, session: 's', follow: true, agent: 'keeper' },
  )
  return { opening, server }
}

describe('opening a session', () => {
  test.each<{ readonly method: Method; readonly skip: number }>([
    { method: 'read', skip: 0 },
    { method: 'follow', skip: 0 },
    { method: 'read', skip: 1 },
    { method: 'has', skip: 0 },
    { method: 'put', skip: 0 },
    { method: 'append', skip: 0 },
    { method: 'append', skip: 1 },
    { method: 'append', skip: 2 },
  ])(
    'ends at the limit when "$method" of the log hangs after $skip calls, and leaves nothing behind',
    async (row) => {
      const { slow, seen, hang, release } = aHangingLog()
      hang(row.method, row.skip)
      const { opening, server } = anOpening(slow)
      const failing = opening.catch((error: unknown) => error)
      await seen.hanging.promise
      await vi.advanceTimersByTimeAsync(LIMIT_MS - 1)
      expect(await Promise.race([failing, 'still opening'])).toBe('still opening')
      await vi.advanceTimersByTimeAsync(1)
      const error = await failing
      expect(error).toMatchObject({ code: 'TIME_LIMIT', facts: { timeoutMs: LIMIT_MS } })
      expect(vi.getTimerCount()).toBe(0)
      await release()
      expect([seen.followers, server.open]).toEqual([0, 0])
    },
  )

  test('says which log hangs, and what to do', async () => {
    const { slow, seen, hang } = aHangingLog()
    hang('read')
    const opening = anOpening(slow).opening.catch((error: unknown) => error)
    await seen.hanging.promise
    await vi.advanceTimersByTimeAsync(LIMIT_MS)
    expect(await opening).toMatchInlineSnapshot(
      `[WorkspaceError: The log of session "s" did not answer within 60 seconds.]`,
    )
    expect(await opening).toMatchObject({ hint: 'Find out why the log hangs, then try again.' })
  })

  test('goes on without snapshots that do not come: the log has every entry', async () => {
    const { slow, seen, hang } = aHangingLog()
    hang('latest')
    const { opening } = anOpening(slow)
    await seen.hanging.promise
    await vi.advanceTimersByTimeAsync(LIMIT_MS)
    const workspace = await opening
    expect(workspace.state.open.map(({ owner }) => owner)).toEqual(['owls', 'owlery', 'bats'])
    await workspace.close()
    expect([vi.getTimerCount(), seen.followers]).toEqual([0, 0])
  })

  test('that is refused ends although following cannot be stopped', async () => {
    const { slow, seen, hang, release } = aHangingLog()
    hang('unfollow')
    const first = await aWorkspace({}, { log: slow, session: 's', principal: { id: 'ann' } })
    const opening = aWorkspace({}, { log: slow, session: 's', follow: true })
    const failing = opening.catch((error: unknown) => error)
    await seen.hanging.promise
    await vi.advanceTimersByTimeAsync(LIMIT_MS)
    expect(await failing).toMatchObject({ code: 'SESSION_MISMATCH' })
    await release()
    expect([vi.getTimerCount(), seen.followers]).toEqual([0, 0])
    await first.close()
  })
})

test.each<{
  readonly what: string
  readonly method: Method
  readonly act: (workspace: VirtualWorkspace) => Promise<unknown>
}>([
  { what: 'following', method: 'follow', act: (workspace) => workspace.sessions.follow() },
  { what: 'reading entries', method: 'read', act: (workspace) => workspace.entries() },
  { what: 'looking', method: 'read', act: (workspace) => workspace.sessions.look(0) },
  { what: 'a fork whose entries are not read', method: 'read', act: (one) => one.sessions.fork() },
  { what: 'a fork that is not written', method: 'append', act: (one) => one.sessions.fork() },
  { what: 'a child session', method: 'read', act: (workspace) => workspace.sessions.child() },
  { what: 'metrics', method: 'read', act: (workspace) => workspace.figures.metrics() },
  { what: 'awaiting a call', method: 'read', act: (workspace) => workspace.calls.waitFor('c') },
])('$what ends at the limit, and leaves nothing behind', async ({ method, act }) => {
  const { slow, seen, hang, release } = aHangingLog()
  const workspace = await aWorkspace({}, { log: slow, session: 's' })
  hang(method)
  const acting = act(workspace).catch((error: unknown) => error)
  await seen.hanging.promise
  await vi.advanceTimersByTimeAsync(LIMIT_MS)
  expect(await acting).toMatchObject({ code: 'TIME_LIMIT', facts: { timeoutMs: LIMIT_MS } })
  expect(vi.getTimerCount()).toBe(0)
  await release()
  await workspace.close()
  expect([seen.followers, vi.getTimerCount()]).toEqual([0, 0])
})

test('sessions of a log that has a limit write each definition once', async () => {
  const { immediate: _immediate, definitions, ...log } = createMemoryLog()
  const written: string[] = []
  const counted: EventLog = {
    ...log,
    definitions: {
      ...definitions,
      put: async (hash, definition) => {
        written.push(hash)
        await definitions.put(hash, definition)
      },
    },
  }
  const tools = [aTool('look')]
  const first = await aWorkspace({ tools }, { log: counted })
  expect(written).not.toEqual([])
  const second = await aWorkspace({ tools }, { log: counted })
  expect(new Set(written).size).toBe(written.length)
  await Promise.all([first.close(), second.close()])
})
