import {
  createMemoryLog,
  createCatalog,
  VirtualWorkspace,
  type Clock,
  type EventLog,
} from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, available, history } from './a-workspace.ts'

const limits = { timeoutMs: 1_000, drainMs: 500 }

function handClock(): Clock & { at: number } {
  const clock = { at: 1_000_000, now: () => clock.at, monotonic: () => clock.at }
  return clock
}

/** A skill for one call, whose tool answers on request. */
async function aProcess(log: EventLog, clock: Clock, run: () => Promise<string>) {
  const tool = aTool('dig', { execute: run, timeoutMs: 2_000 } as never)
  const other = aSkill('other')
  const skills = [aSkill('digging', { tools: [tool], lifetime: { uses: 1 } }), other]
  const catalog = await createCatalog({ skills })
  return VirtualWorkspace.open({
    catalog,
    metaTools: [],
    log,
    session: 's',
    testing: { clock },
    limits,
  })
}

/** A process that is gone in the middle of a call: nothing of it is heard any more. */
async function lostInACall(log: EventLog, clock: Clock) {
  const { promise: never } = Promise.withResolvers<string>()
  const { promise: running, resolve } = Promise.withResolvers<void>()
  const workspace = await aProcess(log, clock, () => {
    resolve()
    return never
  })
  await workspace.activateSkill('digging')
  void workspace.callTool('dig', {}, { call: 'lost' })
  await running
  return workspace
}

const done = () => Promise.resolve('dug')

test('a call of a process that is gone is given up when the session is resumed after its time', async () => {
  const log = createMemoryLog()
  const clock = handClock()
  const gone = await lostInACall(log, clock)
  clock.at += 2_500
  const { calls, callsThisTurn } = gone.state
  expect(calls).toMatchObject([{ call: 'lost', limitMs: 2_000, startedAt: 1_000_000 }])
  const again = await aProcess(log, clock, done)
  expect(again.state.calls).toEqual([])
  expect(again.state.callsThisTurn).toEqual(callsThisTurn)
  const entries = await again.entries()
  const entry = entries.find(({ event }) => event.type === 'call.abandoned')
  expect(entry).toMatchObject({
    cause: { by: 'policy', rule: 'time limit' },
    event: { call: 'lost' },
  })
})

test('a call that may still run in another process is left alone', async () => {
  const log = createMemoryLog()
  const clock = handClock()
  await lostInACall(log, clock)
  clock.at += 2_499
  const again = await aProcess(log, clock, done)
  await again.beginTurn()
  expect(again.state.calls).toHaveLength(1)
  expect(await history(again)).not.toContain('call.abandoned dig')
})

test('a skill whose lifetime is over is not held for ever by a call that nobody ends', async () => {
  const log = createMemoryLog()
  const clock = handClock()
  await lostInACall(log, clock)
  const again = await aProcess(log, clock, done)
  await again.activateSkill('other')
  expect(available(again)).toEqual(['other_tool'])
  expect(again.state.open.map(({ owner }) => owner)).toContain('digging')
  clock.at += 2_500
  await again.callTool('other_tool', {})
  expect(again.state.open.map(({ owner }) => owner)).toEqual(['other'])
})

test('a process never gives up a call of its own, however slow it is', async () => {
  const log = createMemoryLog()
  const clock = handClock()
  const { promise, resolve } = Promise.withResolvers<string>()
  const { promise: running, resolve: begin } = Promise.withResolvers<void>()
  const workspace = await aProcess(log, clock, () => {
    begin()
    return promise
  })
  await workspace.activateSkill('digging')
  const answer = workspace.callTool('dig', {})
  await running
  clock.at += 1_000_000
  await workspace.beginTurn()
  resolve('dug')
  expect(await answer).toMatchObject({ ok: true, data: 'dug' })
  expect(await history(workspace)).not.toContain('call.abandoned dig')
})

test('two processes that both find a call lost give it up once', async () => {
  const log = createMemoryLog()
  const clock = handClock()
  await lostInACall(log, clock)
  const [one, two] = await Promise.all([aProcess(log, clock, done), aProcess(log, clock, done)])
  clock.at += 2_500
  await Promise.all([one.beginTurn(), two.beginTurn()])
  const lines = await history(one)
  expect(lines.filter((line) => line === 'call.abandoned dig')).toHaveLength(1)
})

test('a call whose skill has left, and whose process died before it ended, is given up, too', async () => {
  const log = createMemoryLog()
  const clock = handClock()
  const run = () => Promise.withResolvers<string>().promise
  const dig = aTool('dig', { background: true, timeoutMs: 2_000, execute: run } as never)
  const catalog = await createCatalog({ skills: [aSkill('digging', { tools: [dig] })] })
  const options = {
    catalog,
    metaTools: [],
    log,
    session: 's',
    testing: { clock },
    limits: { drainMs: 0 },
  }
  const gone = await VirtualWorkspace.open(options)
  await gone.activateSkill('digging')
  await gone.callTool('dig', {}, { caller: 'model', call: 'lost' })
  const another = await VirtualWorkspace.open(options)
  await another.deactivateSkill('digging')
  expect(another.state.background.running).toMatchObject([{ call: 'lost' }])
  clock.at += 2_500
  const again = await VirtualWorkspace.open({ ...options, limits })
  expect(again.state.background.running).toEqual([])
  expect(again.state.background.untold.calls).toMatchObject([{ call: 'lost', error: 'INTERNAL' }])
  expect(await again.calls.waitFor('lost')).toMatchObject({ status: 'abandoned' })
})

test('a call from before a deactivation does not delay the next activation of the skill', async () => {
  const log = createMemoryLog()
  const clock = handClock()
  const gone = await lostInACall(log, clock)
  const again = await aProcess(log, clock, done)
  await again.deactivateSkill('digging')
  await again.activateSkill('digging')
  expect(await again.callTool('dig', {})).toMatchObject({ ok: true })
  expect(again.state.open).toEqual([])
  expect(again.state.calls).toMatchObject([{ call: 'lost' }])
  await gone.close()
})

test('a call without a time limit that still runs elsewhere is given up after that of the background, and its caller gets its result', async () => {
  const log = createMemoryLog()
  const clock = handClock()
  const gate = Promise.withResolvers<string>()
  const started = Promise.withResolvers<void>()
  const build = aTool('build', {
    timeoutMs: Infinity,
    execute: () => {
      started.resolve()
      return gate.promise
    },
  })
  const catalog = await createCatalog({ tools: [build] })
  const open = (backgroundMs: number) =>
    VirtualWorkspace.open({
      catalog,
      log,
      session: 's',
      testing: { clock },
      limits: { ...limits, backgroundMs },
    })
  const first = await open(60_000)
  const answer = first.callTool('build', {}, { call: 'long' })
  await started.promise
  clock.at += 61_000
  // Another process cannot know whether it runs: a longer limit there leaves it alone.
  expect((await open(3_600_000)).state.calls).toMatchObject([{ call: 'long', limitMs: null }])
  expect((await open(60_000)).state.calls).toEqual([])
  gate.resolve('built')
  expect(await answer).toMatchObject({ ok: true, data: 'built' })
  expect((await history(first)).slice(-2)).toEqual(['call.abandoned build', 'call.ended build'])
})
