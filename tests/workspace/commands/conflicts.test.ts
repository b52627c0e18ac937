import { createMemoryLog, type EventLog } from 'loadout'
import { expect, test } from 'vitest'
import type { Entry } from '../../../src/engine/model/workspace-event.ts'
import type { Clock } from '../../../src/workspace/log/clock.ts'
import { aTool, aWorkspace } from '../a-workspace.ts'

/** A log on which another process is first, as often as it says, once it is armed. */
function contestedLog(onLoss: (session: string, version: number) => void = () => undefined) {
  const log = createMemoryLog()
  const rival = { losses: 0, appends: 0 }
  const contested: EventLog = {
    ...log,
    async append(session, version, entries, after) {
      rival.appends += 1
      if (rival.losses > 0) {
        rival.losses -= 1
        await log.append(session, version, [turn(version)])
        onLoss(session, version)
      }
      await log.append(session, version, entries, after)
    },
  }
  return { log: contested, rival }
}

function turn(seq: number): Entry {
  return { seq, at: 0, cause: { by: 'host' }, event: { type: 'turn.begun', turn: seq } }
}

const tools = [aTool('look')]

test('a call whose appends lose hundreds of times is made, and its end is recorded', async () => {
  const { log, rival } = contestedLog()
  const workspace = await aWorkspace({ tools }, { log, testing: { randomness: () => 0 } })
  rival.losses = 300
  expect(await workspace.callTool('look', {})).toMatchObject({ ok: true })
  expect(rival.losses).toBe(0)
  const types = (await workspace.entries()).map(({ event }) => event.type)
  expect(types.slice(-2)).toEqual(['call.started', 'call.ended'])
})

test('after the first losses each attempt has a random pause', async () => {
  const { log, rival } = contestedLog()
  let drawn = 0
  const randomness = () => {
    drawn += 1
    return 0
  }
  const workspace = await aWorkspace({ tools }, { log, testing: { randomness } })
  rival.losses = 2
  await workspace.setToolEnabled('look', false)
  expect(drawn).toBe(0)
  rival.losses = 12
  await workspace.setToolEnabled('look', true)
  expect(drawn).toBe(10)
})

test('what others append during a pause costs no further attempt', async () => {
  let last: { readonly session: string; readonly version: number } | undefined
  const { log, rival } = contestedLog((session, version) => (last = { session, version }))
  const randomness = () => {
    if (last) void log.append(last.session, last.version + 1, [turn(last.version + 1)])
    last = undefined
    return 0
  }
  const workspace = await aWorkspace({ tools }, { log, testing: { randomness } })
  Object.assign(rival, { losses: 3, appends: 0 })
  await workspace.setToolEnabled('look', false)
  // Three that lose, the one of the pause, and the one that wins.
  expect(rival.appends).toBe(5)
  expect((await workspace.entries()).slice(-5).map(({ event }) => event.type)).toEqual([
    'turn.begun',
    'turn.begun',
    'turn.begun',
    'turn.begun',
    'tool.switched',
  ])
})

test('a command that loses for fifteen seconds is given up, and nothing of it is recorded', async () => {
  let now = 0
  const clock: Clock = { now: () => 0, monotonic: () => now }
  const { log, rival } = contestedLog(() => {
    now += 1_000
  })
  const workspace = await aWorkspace({ tools }, { log, testing: { clock, randomness: () => 0 } })
  rival.losses = 1_000
  await expect(workspace.setToolEnabled('look', false)).rejects.toMatchObject({
    code: 'LOG_CONFLICT',
    facts: { attempts: 16 },
  })
  rival.losses = 0
  expect((await workspace.setToolEnabled('look', false)).ok).toBe(true)
  expect(workspace.state.disabled).toMatchObject([{ tool: 'look' }])
})
