import { createMemoryLog, type EventLog, WorkspaceError } from 'loadout'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aTool, aWorkspace } from '../a-workspace.ts'

/** A log that counts the entries it gives out; without `follow` when it is said so. */
function countingLog({ follows = true } = {}) {
  const memory = createMemoryLog()
  const given = { entries: 0 }
  const log: EventLog = {
    ...memory,
    async read(...range) {
      const entries = await memory.read(...range)
      given.entries += entries.length
      return entries
    },
  }
  const { follow: _, ...unfollowed } = log
  return { log: follows ? log : unfollowed, given }
}

function aJob() {
  const work = Promise.withResolvers<unknown>()
  return { job: aTool('job', { background: true, execute: () => work.promise }), work }
}

/** A session with a long history, in which a call begins. */
async function longSession(options: { readonly follows?: boolean } = {}) {
  const { log, given } = countingLog(options)
  const { job, work } = aJob()
  const workspace = await aWorkspace({ tools: [job, aTool('look')] }, { log, session: 's' })
  for (let count = 0; count < 1_000; count += 1) await workspace.callTool('look', {})
  const { meta } = await workspace.callTool('job', {})
  given.entries = 0
  return { log, given, workspace, work, job, call: meta.call }
}

test('a process that waits for its own call reads the log only when the call has ended', async () => {
  const { given, workspace, work, call } = await longSession()
  const waiting = [workspace.calls.waitFor(call), workspace.calls.waitFor(call)]
  for (let count = 0; count < 100; count += 1) await workspace.callTool('look', {})
  expect(given.entries).toBe(0)
  work.resolve(1)
  for (const report of await Promise.all(waiting)) expect(report).toMatchObject({ status: 'done' })
  expect(given.entries).toBeLessThan(500)
})

test.each([{ follows: true }, { follows: false }])(
  'a process that waits for the call of another reads each entry once or twice (log can be followed: $follows)',
  async ({ follows }) => {
    const { log, given, workspace, work, job, call } = await longSession({ follows })
    const other = await aWorkspace({ tools: [job, aTool('look')] }, { log, session: 's' })
    given.entries = 0
    const waiting = other.calls.waitFor(call)
    for (let count = 0; count < 100; count += 1) await workspace.callTool('look', {})
    work.resolve(1)
    expect(await waiting).toMatchObject({ status: 'done', result: { data: 1 } })
    expect(given.entries).toBeLessThan(1_000)
  },
)

test('a log that refuses to be followed is polled', async () => {
  const { log } = countingLog()
  const refuses: EventLog = {
    ...log,
    follow: async () => {
      throw new WorkspaceError('LOG_NOT_FOLLOWED', 'No connection is left.')
    },
  }
  const { job, work } = aJob()
  const workspace = await aWorkspace({ tools: [job] }, { log, session: 's' })
  const other = await aWorkspace({ tools: [job] }, { log: refuses, session: 's' })
  const { meta } = await workspace.callTool('job', {})
  const waiting = other.calls.waitFor(meta.call)
  work.resolve(1)
  expect(await waiting).toMatchObject({ status: 'done' })
})

test('a call is found from the end of the log, and one that was never made is null', async () => {
  const { given, workspace, work, call } = await longSession()
  expect(await workspace.calls.report(call)).toMatchObject({ status: 'running' })
  work.resolve(1)
  expect(await workspace.calls.waitFor(call)).toMatchObject({ status: 'done' })
  given.entries = 0
  expect(await workspace.calls.report(call)).toMatchObject({ status: 'done' })
  expect(given.entries).toBeLessThan(1_000)
  expect(await workspace.calls.report('never made')).toBeNull()
  expect(await workspace.calls.waitFor('never made')).toBeNull()
})

test('calls that are looked up, made or not, read each entry of a long log once', async () => {
  const { log, given, workspace, job, call } = await longSession()
  await workspace.close()
  const other = await aWorkspace({ tools: [job, aTool('look')] }, { log, session: 's' })
  for (let count = 0; count < 1_000; count += 1) await other.callTool('look', {})
  const { length } = await log.read('s')
  given.entries = 0
  for (let id = 0; id < 20; id += 1) expect(await other.calls.report(`never made ${id}`)).toBeNull()
  expect(await Promise.all(['a', 'b'].map((id) => other.calls.waitFor(id)))).toEqual([null, null])
  expect(given.entries).toBe(length)
  expect(await other.calls.report(call)).toMatchObject({ call, tool: 'job' })
  const { meta } = await other.callTool('look', {})
  expect(await other.calls.report(meta.call)).toMatchObject({ status: 'done' })
  expect(given.entries).toBeLessThan(length + 1_100)
})

test('metrics and health read each entry once, and say the same as when all is read again', async () => {
  const { log, given } = countingLog()
  const failing = aTool('fail', {
    execute: () => {
      throw new Error('no')
    },
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('look', 'fail', 'absent', 'reset', 'ask'), { maxLength: 25 }),
      fc.uuid(),
      async (acts, session) => {
        const options = { log, session }
        const workspace = await aWorkspace({ tools: [aTool('look'), failing] }, options)
        given.entries = 0
        for (const act of acts) {
          if (act === 'reset') await workspace.figures.resetMetrics()
          else if (act === 'ask')
            await Promise.all([workspace.figures.metrics(), workspace.figures.health()])
          else await workspace.callTool(act, {})
        }
        const kept = [await workspace.figures.metrics(), await workspace.figures.health()]
        expect(given.entries).toBe(2 * (workspace.state.seq + 1))
        const again = await aWorkspace({ tools: [aTool('look'), failing] }, options)
        expect([await again.figures.metrics(), await again.figures.health()]).toEqual(kept)
      },
    ),
    { numRuns: 30 },
  )
})
