import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openSqliteLog } from '../../src/connections/logs/sqlite/open-sqlite-log.ts'
import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type Entry,
  type EventLog,
  type Outcome,
} from '../../src/entries/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'loadout-following-'))
const closing: (() => Promise<void>)[] = []
let files = 0

afterAll(async () => {
  for (const close of closing) await close()
  rmSync(folder, { recursive: true })
})

/** Two ways to one log, as two processes have them. */
const LOGS: readonly { what: string; two(): Promise<readonly [EventLog, EventLog]> }[] = [
  {
    what: 'in memory',
    two: async () => {
      const log = createMemoryLog()
      return [log, log]
    },
  },
  {
    what: 'in SQLite',
    two: async () => {
      files += 1
      const file = join(folder, `${files}.sqlite`)
      const open = async () => {
        const log = await openSqliteLog(file, { followMs: 5 })
        closing.push(() => log.close())
        return log
      }
      return [await open(), await open()]
    },
  },
]

/** A catalog whose skill notes the runs of its hook in a list. */
async function aCatalog(hooks: string[], where: string) {
  const look = defineTool({
    name: 'look_up',
    description: 'Look a word up.',
    category: 'retrieval',
    inputSchema: { type: 'object' },
    execute: () => where,
  })
  const research = defineSkill({
    name: 'research',
    description: 'Find things out.',
    instructions: 'Look before you answer.',
    tools: [look],
    onActivate: () => void hooks.push(where),
  })
  return createCatalog({ skills: [research] })
}

interface Told {
  readonly outcome: Outcome
  readonly entries: readonly Entry[]
  readonly origin: 'own' | 'foreign'
}

/** The notifications of a workspace's listeners, with a way to wait for an entry. */
function listen(workspace: VirtualWorkspace) {
  const told: Told[] = []
  const waiting: { readonly seq: number; resolve(): void }[] = []
  workspace.subscribe((outcome, entries, origin) => {
    told.push({ outcome, entries, origin })
    for (const one of waiting) if (outcome.seq >= one.seq) one.resolve()
  })
  const until = async (seq: number) => {
    if (told.some(({ outcome }) => outcome.seq >= seq)) return
    await new Promise<void>((resolve) => waiting.push({ seq, resolve }))
  }
  return { told, until }
}

describe.each(LOGS)('following a session $what', ({ two }) => {
  const open = async (readOnly: boolean) => {
    const [here, there] = await two()
    const hooks: string[] = []
    const writer = await VirtualWorkspace.open({
      catalog: await aCatalog(hooks, 'there'),
      log: there,
      session: 's1',
    })
    const reader = await VirtualWorkspace.open({
      catalog: await aCatalog(hooks, 'here'),
      log: here,
      session: 's1',
      readOnly,
      follow: true,
    })
    return { hooks, writer, reader, ...listen(reader) }
  }

  test.each([{ readOnly: true }, { readOnly: false }])(
    'sees what others do, and runs no hook (readOnly $readOnly)',
    async ({ readOnly }) => {
      const { hooks, writer, reader, told, until } = await open(readOnly)
      const { seq } = await writer.activateSkill('research')
      await until(seq)
      expect(reader.state.open).toEqual(writer.state.open)
      expect(reader.isToolAvailable('look_up')).toBe(true)
      expect(hooks).toEqual(['there'])
      expect(told.flatMap(({ outcome }) => (outcome.ok ? outcome.difference.added : []))).toEqual([
        'look_up',
      ])
      expect(told.flatMap(({ entries }) => entries.map((one) => one.seq))).toEqual([seq])
      await writer.close()
      await reader.close()
    },
  )

  test('notifies of each entry once and in order, of entries between its own commands as foreign', async () => {
    const { writer, reader, told, until } = await open(false)
    const first = reader.state.seq + 1
    const commands = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? writer : reader).beginTurn(),
    )
    const outcomes = await Promise.all(commands)
    const last = Math.max(...outcomes.map(({ seq }) => seq))
    await until(last)
    const seqs = told.flatMap(({ entries }) => entries.map(({ seq }) => seq))
    expect(seqs).toEqual(Array.from({ length: last - first + 1 }, (_, index) => first + index))
    const own = told.filter(({ origin }) => origin === 'own').map(({ outcome }) => outcome.seq)
    expect(own).toEqual(outcomes.filter((_, index) => index % 2 === 1).map(({ seq }) => seq))
    expect(reader.state.seq).toBe(last)
    await writer.close()
    await reader.close()
  })

  test('ends when it is stopped: the store stays where it was', async () => {
    const { writer, reader } = await open(true)
    const stop = await reader.sessions.follow()
    await stop()
    await stop()
    await reader.close()
    const { seq } = reader.state
    await writer.beginTurn()
    expect(reader.state.seq).toBe(seq)
    await writer.close()
  })
})

test('a log that cannot report changes is not followed', async () => {
  const { follow: _, ...log } = createMemoryLog()
  const workspace = await VirtualWorkspace.open({ catalog: await aCatalog([], 'here'), log })
  await expect(workspace.sessions.follow()).rejects.toMatchObject({ code: 'LOG_NOT_FOLLOWED' })
  await workspace.close()
})

test('a log that fails while it is followed is read again at the next change', async () => {
  const log = createMemoryLog()
  let isAway = false
  const faulty: EventLog = {
    ...log,
    read: (...given) => (isAway ? Promise.reject(new Error('away')) : log.read(...given)),
  }
  const catalog = await aCatalog([], 'here')
  const writer = await VirtualWorkspace.open({ catalog, log, session: 's1' })
  const reader = await VirtualWorkspace.open({
    catalog,
    log: faulty,
    session: 's1',
    readOnly: true,
    follow: true,
  })
  const { told, until } = listen(reader)
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  isAway = true
  await writer.beginTurn()
  expect(await warned).toMatchObject({ message: 'away' })
  isAway = false
  const { seq } = await writer.beginTurn()
  await until(seq)
  expect(told.flatMap(({ entries }) => entries.map((one) => one.seq))).toEqual([seq - 1, seq])
  await writer.close()
  await reader.close()
})

/** A memory log that counts its followers, whose `follow` takes a moment. */
function countedFollowers() {
  const log = createMemoryLog()
  const followers = { count: 0 }
  const counted: EventLog = {
    ...log,
    async follow(session, listener) {
      const stop = await log.follow(session, listener)
      await new Promise((resolve) => setImmediate(resolve))
      followers.count += 1
      return async () => {
        followers.count -= 1
        await stop()
      }
    },
  }
  return { log: counted, followers }
}

test('following that begins while the workspace closes leaves no follower behind', async () => {
  const { log, followers } = countedFollowers()
  const catalog = await aCatalog([], 'here')
  const workspace = await VirtualWorkspace.open({ catalog, log })
  const following = workspace.sessions.follow()
  await workspace.close()
  await following
  expect(followers.count).toBe(0)
  await workspace.sessions.follow()
  expect(followers.count).toBe(0)
})

test.each([
  { what: 'has no way to follow', follow: undefined },
  {
    what: 'refuses to be followed',
    follow: () => Promise.reject(new Error('No connection is left.')),
  },
])('a session that has to follow a log that $what is not begun', async ({ follow }) => {
  const { follow: _, ...memory } = createMemoryLog()
  const log: EventLog = follow === undefined ? memory : { ...memory, follow }
  const hooks: string[] = []
  const plain = await aCatalog(hooks, 'here')
  const catalog = await createCatalog({
    skills: [...plain.skills.values()],
    agents: [defineAgent({ name: 'helper', prompt: 'Help.', initialSkills: ['research'] })],
  })
  const opening = VirtualWorkspace.open({
    catalog,
    agent: 'helper',
    log,
    session: 's',
    follow: true,
  })
  await expect(opening).rejects.toThrow(follow === undefined ? /cannot report/ : /No connection/)
  expect(hooks).toEqual([])
  expect(await log.list()).toEqual([])
})

test('a session that follows, and cannot be opened, leaves no follower behind', async () => {
  const { log, followers } = countedFollowers()
  const catalog = await aCatalog([], 'here')
  const options = { catalog, log, session: 's', follow: true }
  const first = await VirtualWorkspace.open({ ...options, principal: { id: 'ann' } })
  const stranger = VirtualWorkspace.open({ ...options, principal: { id: 'bob' } })
  await expect(stranger).rejects.toMatchObject({ code: 'SESSION_MISMATCH' })
  expect(followers.count).toBe(1)
  await first.close()
  expect(followers.count).toBe(0)
})
