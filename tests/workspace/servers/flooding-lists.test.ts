import { afterEach, expect, test } from 'vitest'
import { createMemoryLog, type VirtualWorkspace } from 'loadout'
import { aTool, available, aWorkspace } from '../a-workspace.ts'
import { MemoryServer } from './a-server.ts'

const opened: VirtualWorkspace[] = []

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close()
})

/** A clock that is set by hand, on which pauses end when it passes them. */
function handClock() {
  let time = 0
  const waiting: { readonly until: number; readonly end: () => void }[] = []
  return {
    now: () => time,
    monotonic: () => time,
    pause: (ms: number, signal: AbortSignal) =>
      new Promise<void>((end) => {
        waiting.push({ until: time + ms, end })
        signal.addEventListener('abort', () => end())
      }),
    pass(ms: number) {
      time += ms
      for (const { until, end } of waiting) if (until <= time) end()
    },
  }
}

/** Every promise reaction that is due has run, and the commands of them. */
async function settled(workspace: VirtualWorkspace) {
  await new Promise(setImmediate)
  await workspace.setSummary(null)
}

async function aSession() {
  const clock = handClock()
  const server = new MemoryServer('s', [aTool('s_calm')], { trusted: true })
  const workspace = await aWorkspace({}, { testing: { clock }, log: createMemoryLog() })
  opened.push(workspace)
  expect(await workspace.attach(server)).toMatchObject({ ok: true })
  const list = async (round: number, count: number, bytes: number) => {
    const description = `${round} ${'x'.repeat(bytes)}`
    const others = Array.from({ length: count }, (_, at) => aTool(`s_t${at}`, { description }))
    server.change([aTool('s_calm'), ...others])
    await settled(workspace)
  }
  const entries = async (type: string) =>
    (await workspace.entries()).filter(({ event }) => event.type === type)
  return { workspace, server, clock, list, entries }
}

test('of lists that change by more than their budget in a minute, some are registered, and then the last one', async () => {
  const { workspace, clock, list, entries } = await aSession()
  for (let round = 0; round < 40; round += 1) await list(round, 10, 10_000)
  const kept = JSON.stringify(await entries('source.synced')).length
  expect(kept).toBeLessThan(1_048_576)
  const synced = (await entries('source.synced')).length
  expect(synced).toBeGreaterThan(5)
  expect(synced).toBeLessThan(12)
  const [warning, ...others] = await entries('warning.given')
  expect(others).toEqual([])
  expect(warning?.event).toMatchObject({
    code: 'server-floods',
    subject: 's',
    message:
      'The server "s" sent over 1 MB of changed tools in a minute. They are registered later.',
  })
  expect(workspace.explain('s_calm').health).toMatchObject({ status: 'failed-refresh' })
  expect(await workspace.callTool('s_calm', {})).toMatchObject({ ok: true })
  // Their definitions are not those that the server has now.
  expect(await workspace.callTool('s_t0', {})).toMatchObject({
    ok: false,
    error: { type: 'UNAVAILABLE' },
  })
  clock.pass(60_000)
  await settled(workspace)
  await settled(workspace)
  expect((await entries('source.synced')).length).toBe(synced + 1)
  expect(workspace.explain('s_calm').health).toMatchObject({ status: 'connected', problem: null })
  expect(await workspace.callTool('s_t0', {})).toMatchObject({ ok: true })
})

test('a list that is over the budget alone is not registered before the server is attached again', async () => {
  const { workspace, server, list, entries, clock } = await aSession()
  await list(1, 200, 9_000)
  clock.pass(600_000)
  await settled(workspace)
  expect(await entries('source.synced')).toHaveLength(1)
  expect(available(workspace)).toEqual(['s_calm'])
  expect(workspace.explain('s_calm').health?.problem).toMatch(/Attach it again to take all/u)
  await workspace.detach('s')
  expect(await workspace.attach(server)).toMatchObject({ ok: true })
  expect(available(workspace)).toHaveLength(201)
})

test('a server that is lost and connected again with other lists keeps to the budget', async () => {
  const { workspace, server, entries } = await aSession()
  for (let round = 0; round < 4; round += 1) {
    server.lose()
    const description = `${round} ${'x'.repeat(40_000)}`
    server.tools = [
      aTool('s_calm'),
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => aTool(`s_t${at}`, { description })),
    ]
    expect(await workspace.callTool('s_calm', {})).toMatchObject({ ok: true })
  }
  expect(JSON.stringify(await entries('source.synced')).length).toBeLessThan(1_048_576)
  expect(await entries('warning.given')).toHaveLength(1)
})

test('ten changes of a list of a thousand tools within a minute are registered', async () => {
  const { workspace, server, entries } = await aSession()
  const description = 'Finds, opens, changes and closes things of this kind. '.repeat(20)
  const many = Array.from({ length: 999 }, (_, at) => aTool(`s_t${at}`, { description }))
  await workspace.detach('s')
  server.tools = [aTool('s_calm'), ...many]
  await workspace.attach(server)
  for (let round = 0; round < 10; round += 1) {
    const changed = many.map((tool, at) =>
      at % 100 === round ? aTool(tool.name, { description: `${description} ${round}` }) : tool,
    )
    server.change([aTool('s_calm'), ...changed.slice(round)])
    await settled(workspace)
  }
  expect(await entries('warning.given')).toEqual([])
})
