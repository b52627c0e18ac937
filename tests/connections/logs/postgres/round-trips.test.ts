import { createCatalog, defineSkill, VirtualWorkspace } from 'loadout'
import { openPostgresLog } from 'loadout/postgres'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres, type PostgresServer } from '../../../../scripts/start-postgres.ts'
import type { HistoryMessage } from '../../../../src/workspace/offer/conversation/history-message.ts'

let server: PostgresServer

beforeAll(async () => {
  server = await startPostgres()
})

afterAll(() => server.stop())

/** A pool that lists the statements it sends, each of which is a round trip. */
function listedPool() {
  const sent: string[] = []
  const pool = new pg.Pool({ connectionString: server.url })
  // A connection that the server ends is no error of the process, also when a test failed before it ended the pool.
  pool.on('error', () => {})
  onTestFinished(() => pool.end())
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((...given: readonly [{ readonly text: string }]) => {
      sent.push(given[0].text)
      return query(...given)
    }) as typeof client.query
  })
  return { pool, sent }
}

test('a session is opened in one round trip, its first commands take one each, and its first step two, in turn 40 as in turn 3', async () => {
  const { pool, sent } = listedPool()
  const log = await openPostgresLog(pool, { schema: 'trips' })
  const skills = Array.from({ length: 2 }, (_, index) =>
    defineSkill({
      name: `skill-${index}`,
      description: `Skill ${index}.`,
      instructions: `What to do with skill ${index}.`,
    }),
  )
  const catalog = await createCatalog({ skills })
  const open = () =>
    VirtualWorkspace.open({ catalog, log, session: 'chat', limits: { snapshotEvery: 20 } })
  const history: HistoryMessage[] = []
  const opening: number[] = []
  const commands: number[] = []
  const steps: number[] = []
  const trips = () => sent.filter((text) => !/INSERT INTO \S+snapshot/u.test(text)).length
  for (let turn = 0; turn < 40; turn += 1) {
    sent.length = 0
    const workspace = await open()
    opening.push(sent.length)
    sent.length = 0
    // Each turn changes the text of the workspace in the conversation.
    const [skill] = skills
    if (turn % 2 === 0) await workspace.activateSkill(skill?.name ?? '')
    else await workspace.deactivateSkill(skill?.name ?? '')
    await workspace.beginTurn()
    commands.push(trips())
    history.push({ role: 'user', content: `Question ${turn}` })
    sent.length = 0
    await workspace.beginStep({ history })
    steps.push(trips())
    history.push({ role: 'assistant', content: `Answer ${turn}` })
    await workspace.close()
  }
  expect(opening.slice(3)).toEqual(opening.slice(3).map(() => 1))
  expect(commands.slice(3)).toEqual(commands.slice(3).map(() => 2))
  expect(steps.slice(3)).toEqual(steps.slice(3).map(() => 2))
  await log.close()
})

test('a process that offers fewer meta-tools reads the definitions of the others from the log', async () => {
  const { pool, sent } = listedPool()
  const log = await openPostgresLog(pool, { schema: 'offers' })
  const instructions = 'Do it.'
  const skills = [defineSkill({ name: 'one', description: 'One.', instructions })]
  const catalog = await createCatalog({ skills })
  const all = ['loadSkill', 'listAvailableSkills'] as const
  const open = (metaTools: readonly (typeof all)[number][]) =>
    VirtualWorkspace.open({ catalog, log, session: 'chat', metaTools })
  await (await open(all)).close()
  sent.length = 0
  const workspace = await open(['loadSkill'])
  expect(sent.filter((text) => text.includes('SELECT hash, text'))).toHaveLength(1)
  const names = workspace.tools().map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([...all]))
  await workspace.close()
  await log.close()
})

test('a read is one round trip for each page of entries', async () => {
  const { pool, sent } = listedPool()
  const log = await openPostgresLog(pool, { schema: 'pages' })
  const entry = { cause: { by: 'host' }, event: { type: 'turn.begun', turn: 1 } } as const
  const entries = Array.from({ length: 4_100 }, (_, seq) => ({ ...entry, seq, at: seq }))
  await log.append('s1', 0, entries)
  const reads: (readonly [from: number, last: number, trips: number])[] = [
    [0, Infinity, 3],
    [0, 1_999, 1],
    [0, 2_000, 2],
    [2_100, Infinity, 2],
    [2_102, Infinity, 1],
    [4_099, Infinity, 1],
    [4_100, Infinity, 1],
  ]
  for (const [from, last, trips] of reads) {
    sent.length = 0
    expect(await log.read('s1', from, last)).toEqual(entries.slice(from, last + 1))
    expect({ from, last, trips: sent.length }).toEqual({ from, last, trips })
  }
  await log.close()
})
