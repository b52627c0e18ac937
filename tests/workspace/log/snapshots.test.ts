import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import {
  createCatalog,
  createMemoryLog,
  VirtualWorkspace,
  type Entry,
  type EventLog,
} from 'loadout'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { importLog } from '../../../src/connections/logs/jsonl/import-session.ts'
import { openSqliteLog } from '../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { fold } from '../../../src/engine/evolve/evolve.ts'
import { contentHash, textHash } from '../../../src/kernel/content-hash.ts'
import {
  readFromSnapshot,
  readSnapshot,
  STATE_FORMAT,
  writeSnapshot,
} from '../../../src/workspace/log/read-from-snapshot.ts'
import { aSkill, aTool } from '../a-workspace.ts'
import { deeds, hookScript, stagedCatalog, type HookStage } from '../random-session.ts'

const RECORDED = fileURLToPath(new URL('./fixtures/format-1.jsonl', import.meta.url))

const { entries: recorded } = importLog(readFileSync(RECORDED, 'utf8'))

/** The log without its snapshots. */
function bare(log: EventLog): EventLog {
  const { snapshots: _, ...rest } = log
  return rest
}

test('the fold of a recorded session is that of this state format', async () => {
  const states: string[] = []
  let state = fold([])
  for (const entry of recorded) {
    state = fold([entry], state)
    states.push(contentHash(JSON.parse(JSON.stringify(state))))
  }
  // Another hash with the same format: raise FOLD in state-format.ts, since snapshots would be believed
  // that were folded in another way.
  expect({ format: STATE_FORMAT, states: contentHash(states) }).toMatchInlineSnapshot(`
    {
      "format": "2.8.229f3236",
      "states": "sha256:f9ee54da70c8fb01c9f2e7ed80ca8d6fa8dfb6c3916df3792bd7f4ad8d47858e",
    }
  `)
})

describe('a state survives being written down', () => {
  test('after every entry of a recorded session', async () => {
    const entries = recorded
    const whole = fold(entries)
    for (const last of entries) {
      const state = fold(entries.slice(0, last.seq + 1))
      const read = readSnapshot(writeSnapshot(state, last), last)
      expect(read).toStrictEqual(state)
      expect(fold(entries.slice(last.seq + 1), read ?? undefined)).toStrictEqual(whole)
    }
  })

  test('after every entry of any session', async () => {
    await fc.assert(
      fc.asyncProperty(hookScript, deeds, async (script, acts) => {
        const stage: HookStage = { script: [...script] }
        const log = createMemoryLog()
        const workspace = await VirtualWorkspace.open({
          catalog: await stagedCatalog(stage),
          agent: 'tester',
          session: 'random',
          log,
          limits: { hookTimeoutMs: 5, snapshotEvery: 3 },
          discovery: {},
          variables: { WHAT: 'everything' },
        })
        stage.workspace = workspace
        for (const { deed } of acts) await deed(workspace)
        await workspace.close()
        const entries = await log.read('random')
        let state = fold([])
        for (const last of entries) {
          state = fold([last], state)
          expect(readSnapshot(writeSnapshot(state, last), last)).toStrictEqual(state)
          expect((await readFromSnapshot(log, 'random', last.seq)).state).toStrictEqual(state)
        }
        expect((await readFromSnapshot(log, 'random')).state).toStrictEqual(state)
      }),
      { numRuns: 25 },
    )
  })

  test('and cannot be changed by who gets it', async () => {
    const entries = recorded
    const last = entries[70] as Entry
    const state = readSnapshot(writeSnapshot(fold(entries.slice(0, 71)), last), last)
    expect(Object.isFrozen(state?.components[0]?.state)).toBe(true)
  })
})

describe('a snapshot', () => {
  let folder = ''
  let file = ''

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'loadout-snapshots-'))
    file = join(folder, 'sessions.sqlite')
  })

  afterEach(() => rmSync(folder, { recursive: true }))

  const options = { session: 's1', limits: { snapshotEvery: 10 } }
  const catalog = () =>
    createCatalog({ skills: [aSkill('research', { tools: [aTool('search')] })] })

  /** Twenty-odd entries with a skill that is active, and one tool of it called. */
  async function lived(log: EventLog): Promise<readonly Entry[]> {
    const workspace = await VirtualWorkspace.open({ catalog: await catalog(), log, ...options })
    await workspace.activateSkill('research')
    for (let turn = 0; turn < 10; turn += 1) {
      await workspace.beginTurn()
      await workspace.callTool('search', {})
    }
    await workspace.close()
    return log.read('s1')
  }

  test('is kept after so many entries, and read instead of those before it', async () => {
    await using log = await openSqliteLog(file)
    const entries = await lived(log)
    const kept = await log.snapshots?.latest('s1', STATE_FORMAT)
    expect(kept?.seq).toBeGreaterThan(entries.length - 12)
    const { from, entries: read, state } = await readFromSnapshot(log, 's1')
    expect(from.seq).toBe(kept?.seq)
    expect(read).toEqual(entries.slice((kept?.seq ?? 0) + 1))
    expect(state).toEqual(fold(entries))
  })

  test('changes nothing that a resumed session shows, or does', async () => {
    const log = createMemoryLog()
    await lived(log)
    const shared = await catalog()
    const shown = await Promise.all(
      [log, bare(log)].map(async (one) => {
        const workspace = await VirtualWorkspace.open({
          catalog: shared,
          log: one,
          ...options,
          readOnly: true,
        })
        const past = await workspace.sessions.look(14)
        return {
          prompts: [workspace.prompt().text, past.prompt().text],
          tools: [workspace, past].map((seen) =>
            seen.tools().map((row) => ({ ...row, tool: null })),
          ),
          states: [workspace.state, past.state],
          reasons: workspace.tools().map(({ name }) => workspace.explain(name)),
        }
      }),
    )
    expect(shown[0]).toEqual(shown[1])
  })

  test.each([
    { what: 'with a flipped letter', change: (text: string) => text.replace('"turn":', '"tur_":') },
    { what: 'cut short', change: (text: string) => text.slice(0, -1) },
    { what: 'that is empty', change: () => '' },
    { what: 'of nothing known', change: () => '{}\n{}\n{}' },
  ])('$what is not believed', async ({ change }) => {
    await using log = await openSqliteLog(file)
    const entries = await lived(log)
    using database = new DatabaseSync(file)
    const rows = database.prepare('SELECT seq, text FROM snapshot').all()
    expect(rows.length).toBeGreaterThan(1)
    for (const { seq, text } of rows) {
      database
        .prepare('UPDATE snapshot SET text = ? WHERE seq = ?')
        .run(change(String(text)), seq ?? 0)
    }
    const { state, from } = await readFromSnapshot(log, 's1')
    expect(from.seq).toBe(-1)
    expect(state).toEqual(fold(entries))
  })

  test.each([
    { what: 'JSON that was cut', change: (state: string) => state.slice(0, -1) },
    { what: 'nothing', change: () => 'null' },
    { what: 'no object', change: () => '[]' },
    { what: 'half a state', change: (_: string, seq: number) => JSON.stringify({ seq }) },
    { what: 'levels without end', change: () => '['.repeat(100_000) + ']'.repeat(100_000) },
  ])('of $what under a checksum that fits is not believed', async ({ change }) => {
    const memory = createMemoryLog()
    const entries = await lived(memory)
    const changed: EventLog = {
      ...memory,
      snapshots: {
        put: async () => undefined,
        latest: async (...asked) => {
          const stored = await memory.snapshots?.latest(...asked)
          const [, hash = '', state = ''] = stored?.text.split('\n') ?? []
          const body = `${hash}\n${change(state, stored?.seq ?? 0)}`
          return stored && { ...stored, text: `${textHash(body)}\n${body}` }
        },
      },
    }
    const { state, from } = await readFromSnapshot(changed, 's1')
    expect(from.seq).toBe(-1)
    expect(state).toEqual(fold(entries))
  })

  test('of a session that went another way is not believed', async () => {
    const log = createMemoryLog()
    const entries = await lived(log)
    const other = createMemoryLog()
    const changed = entries.map((entry) => ({ ...entry, at: entry.at + 1 }))
    await other.append('s1', 0, changed)
    const swapped: EventLog = { ...other, snapshots: log.snapshots as never }
    const { state, from } = await readFromSnapshot(swapped, 's1')
    expect(from.seq).toBe(-1)
    expect(state).toEqual(fold(changed))
  })

  const reads: readonly {
    what: string
    snapshot: boolean
    times: number
    load: EventLog['load']
  }[] = [
    { what: 'with the entries after it', snapshot: true, times: 0, load: undefined },
    { what: 'that is not there', snapshot: false, times: 0, load: undefined },
    {
      what: 'of a session that went another way',
      snapshot: false,
      times: 1,
      load: async () => ({
        snapshot: { seq: 1, format: STATE_FORMAT, text: 'other' },
        entries: [],
      }),
    },
    {
      what: 'that cannot be read',
      snapshot: false,
      times: 1,
      load: () => Promise.reject(new Error('no table')),
    },
  ]

  test.each(reads)(
    '$what is loaded in one round trip, and the entries are read $times times',
    async ({ snapshot, times, load }) => {
      const memory = createMemoryLog()
      const entries = await lived(memory)
      let read = 0
      const log: EventLog = {
        ...memory,
        read: (...given) => {
          read += 1
          return memory.read(...given)
        },
        load:
          load ??
          (async (session, format) => {
            const latest = await memory.snapshots?.latest(session, format)
            const from = snapshot ? latest?.seq : 0
            const tail = { entries: await memory.read(session, from) }
            return snapshot && latest ? { ...tail, snapshot: latest } : tail
          }),
      }
      const { state, from, last } = await readFromSnapshot(log, 's1')
      expect({ state, last, read }).toEqual({
        state: fold(entries),
        last: entries.at(-1),
        read: times,
      })
      expect(from.seq > -1).toBe(snapshot)
    },
  )

  test('that cannot be kept or read is nobody’s trouble', async () => {
    const memory = createMemoryLog()
    const refuse = () => Promise.reject(new Error('no room'))
    const log: EventLog = { ...bare(memory), snapshots: { put: refuse, latest: refuse } }
    const entries = await lived(log)
    expect((await readFromSnapshot(log, 's1')).state).toEqual(fold(entries))
  })

  test('goes with its session', async () => {
    await using log = await openSqliteLog(file)
    await lived(log)
    await log.delete('s1')
    expect(await log.snapshots?.latest('s1', STATE_FORMAT)).toBeUndefined()
  })
})
