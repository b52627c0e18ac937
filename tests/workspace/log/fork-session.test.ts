import {
  createCatalog,
  createMemoryLog,
  forkSession,
  VirtualWorkspace,
  type EventLog,
} from 'loadout'
import { describe, expect, test } from 'vitest'
import { fold } from '../../../src/engine/evolve/evolve.ts'
import { aSkill, aTool, available } from '../a-workspace.ts'

const runs: string[] = []
let begun = () => {}
const catalog = await createCatalog({
  skills: [aSkill('research'), aSkill('publish')],
  tools: [
    aTool('ask', { requiresConfirmation: true, execute: () => runs.push('ask') }),
    aTool('wait', {
      execute: (_, { signal }) => {
        begun()
        return new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    }),
  ],
})

const opened = (log: EventLog, session: string, more: object = {}) =>
  VirtualWorkspace.open({ catalog, log, session, ...more })

describe('a fork', () => {
  test('begins as its origin was at an entry, and goes its own way', async () => {
    const log = createMemoryLog()
    const origin = await opened(log, 'origin')
    const { seq } = await origin.activateSkill('research')
    await origin.activateSkill('publish')
    const before = await origin.entries()
    const fork = await origin.sessions.fork(seq, 'fork')
    expect(fork).toEqual({ session: 'fork', from: { session: 'origin', seq }, version: seq + 2 })

    const other = await opened(log, 'fork')
    expect(available(other)).toContain('research_tool')
    expect(available(other)).not.toContain('publish_tool')
    expect(other.state.opening?.session).toBe('fork')
    expect(other.state.forkedFrom).toEqual({ session: 'origin', seq })
    await other.deactivateSkill('research')
    expect(await origin.entries()).toEqual(before)
    expect(available(origin)).toContain('research_tool')
    expect((await other.entries()).slice(0, seq + 1)).toEqual(before.slice(0, seq + 1))
  })

  test('of any entry is the state of that entry, whatever the clock says', async () => {
    const log = createMemoryLog()
    const origin = await opened(log, 'origin')
    await origin.activateSkill('research')
    await origin.beginTurn()
    await origin.callTool('research_tool', {})
    const entries = await origin.entries()
    for (const { seq: at } of entries) {
      const { session } = await forkSession(log, {
        from: 'origin',
        at,
        clock: { now: () => 7, monotonic: () => 0 },
      })
      const {
        seq: _,
        latestAt: __,
        calls,
        // Running calls are lost in a fork.
        stepCalls: ___,
        opening,
        forkedFrom,
        ...rest
      } = fold(await log.read(session))
      expect(calls).toEqual([])
      expect(opening?.session).toBe(session)
      expect(forkedFrom).toEqual({ session: 'origin', seq: at })
      expect(fold(entries.slice(0, at + 1))).toMatchObject(rest)
    }
  })

  test('of a fork names the fork', async () => {
    const log = createMemoryLog()
    await opened(log, 'a')
    await forkSession(log, { from: 'a', at: 0, to: 'b' })
    await forkSession(log, { from: 'b', to: 'c' })
    expect((await opened(log, 'c')).state.forkedFrom).toEqual({ session: 'b', seq: 1 })
  })

  test('does not run what was agreed to in its origin', async () => {
    const log = createMemoryLog()
    const origin = await opened(log, 'origin')
    await origin.callTool('ask', {})
    const [asked] = origin.state.confirmations
    await origin.approve(asked?.id ?? '')
    await origin.sessions.fork(undefined, 'fork')
    const fork = await opened(log, 'fork')
    expect(fork.state.confirmations).toEqual([])
    expect(await fork.callTool('ask', {})).toMatchObject({
      error: { type: 'CONFIRMATION_REQUIRED' },
    })
    expect(await fork.approve(asked?.id ?? '')).toMatchObject({
      ok: false,
      code: 'confirmation-unknown',
    })
    expect(runs).toEqual([])
    expect(await origin.callTool('ask', {})).toMatchObject({ ok: true })
    expect(runs).toEqual(['ask'])
  })

  test('has no approval that was given for the session of its origin', async () => {
    const log = createMemoryLog()
    const origin = await opened(log, 'origin')
    await origin.callTool('ask', {})
    await origin.approve(origin.state.confirmations[0]?.id ?? '', { remember: 'session' })
    await origin.sessions.fork(undefined, 'fork')
    const fork = await opened(log, 'fork')
    expect(await fork.callTool('ask', {})).toMatchObject({
      error: { type: 'CONFIRMATION_REQUIRED' },
    })
  })

  test('keeps a denial', async () => {
    const log = createMemoryLog()
    const origin = await opened(log, 'origin')
    await origin.callTool('ask', {})
    await origin.deny(origin.state.confirmations[0]?.id ?? '')
    await origin.sessions.fork(undefined, 'fork')
    const fork = await opened(log, 'fork')
    expect(await fork.callTool('ask', {})).toMatchObject({ error: { type: 'DENIED' } })
  })

  test('has given up the calls that were running, which go on where they are', async () => {
    const log = createMemoryLog()
    const origin = await opened(log, 'origin')
    const isRunning = new Promise<void>((resolve) => (begun = resolve))
    const running = origin.callTool('wait', {}, { call: 'c1' })
    await isRunning
    await origin.sessions.fork(undefined, 'fork')
    const fork = await opened(log, 'fork')
    expect(fork.state.calls).toEqual([])
    expect(await fork.calls.report('c1')).toMatchObject({ status: 'abandoned' })
    expect(await origin.calls.report('c1')).toMatchObject({ status: 'running' })
    await origin.close()
    await running
  })

  test('takes the definitions along into another log', async () => {
    const log = createMemoryLog()
    const into = createMemoryLog()
    const origin = await opened(log, 'origin')
    await origin.activateSkill('research')
    await forkSession(log, { from: 'origin', to: 'fork', into })
    const gone = await createCatalog({})
    const looking = await VirtualWorkspace.open({
      catalog: gone,
      log: into,
      session: 'fork',
      readOnly: true,
    })
    expect(looking.explainSkill('research').status).toBe('active')
    expect(available(looking)).toContain('research_tool')
    expect(await log.read('fork')).toEqual([])
  })

  test.each([
    { what: 'of nothing', request: { from: 'nobody' }, code: 'SESSION_UNKNOWN' },
    { what: 'at no entry', request: { from: 'a', at: 99 }, code: 'ENTRY_UNKNOWN' },
    { what: 'at half an entry', request: { from: 'a', at: 0.5 }, code: 'ENTRY_UNKNOWN' },
    { what: 'before the first', request: { from: 'a', at: -1 }, code: 'ENTRY_UNKNOWN' },
    { what: 'with a blank id', request: { from: 'a', to: ' ' }, code: 'SESSION_INVALID' },
    { what: 'with a known id', request: { from: 'a', to: 'a' }, code: 'SESSION_KNOWN' },
  ])('$what is refused, and nothing is written', async ({ request, code }) => {
    const log = createMemoryLog()
    await opened(log, 'a')
    const before = await log.list()
    await expect(forkSession(log, request)).rejects.toMatchObject({ code })
    expect(await log.list()).toEqual(before)
  })
})
