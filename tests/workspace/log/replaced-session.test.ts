import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  openSqliteLog,
  type SqliteLog,
} from '../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { createCatalog, createMemoryLog, VirtualWorkspace, type EventLog } from 'loadout'
import { fold } from '../../../src/engine/evolve/evolve.ts'
import { readFromSnapshot } from '../../../src/workspace/log/read-from-snapshot.ts'
import { aSkill } from '../a-workspace.ts'

const folder = mkdtempSync(join(tmpdir(), 'loadout-replaced-'))
const opened: SqliteLog[] = []
let files = 0

afterAll(async () => {
  for (const log of opened) await log.close()
  rmSync(folder, { recursive: true })
})

/** Two ways to one log, as two processes have them. */
const LOGS: readonly { kind: string; two: () => Promise<readonly [EventLog, EventLog]> }[] = [
  {
    kind: 'in memory',
    two: async () => {
      const log = createMemoryLog()
      return [log, log]
    },
  },
  {
    kind: 'in SQLite',
    two: async () => {
      const file = join(folder, `${(files += 1)}.sqlite`)
      const open = async () => {
        const log = await openSqliteLog(file, { followMs: 5 })
        opened.push(log)
        return log
      }
      return [await open(), await open()]
    },
  },
]

const skills = ['one', 'two', 'three', 'four', 'five'].map((name) => aSkill(name))
const replaced = { code: 'SESSION_REPLACED', facts: { session: 's1' } }

async function open(log: EventLog, options: object = {}): Promise<VirtualWorkspace> {
  const catalog = await createCatalog({ skills })
  return VirtualWorkspace.open({ catalog, log, session: 's1', ...options })
}

describe.each(LOGS)('a session $kind that another one took the place of', ({ two }) => {
  test.each([
    { is: 'gone', activations: null },
    { is: 'shorter', activations: 0 },
    { is: 'as long', activations: 2 },
    { is: 'longer', activations: 5 },
  ])('and that is $is takes no command', async ({ activations }) => {
    const [here, there] = await two()
    const before = await open(here, { limits: { snapshotEvery: 1 } })
    await before.activateSkill('one')
    await before.activateSkill('two')
    const { state } = before
    await there.delete('s1')
    if (activations !== null) {
      const after = await open(there, { limits: { snapshotEvery: 100 } })
      for (const { name } of skills.slice(0, activations).reverse()) await after.activateSkill(name)
      await after.close()
    }
    const entries = await there.read('s1')

    await expect(before.activateSkill('three')).rejects.toMatchObject(replaced)
    expect(before.state).toEqual(state)
    await before.close()
    expect(await there.read('s1')).toEqual(entries)
    expect((await readFromSnapshot(there, 's1')).state).toEqual(fold(entries))
  })
})

test('a follower of a session is warned when another one took its place, and shows nothing of it', async () => {
  const log = createMemoryLog()
  const writer = await open(log)
  const reader = await open(log, { readOnly: true, follow: true })
  const { state } = reader
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  await log.delete('s1')
  const other = await open(log)
  await other.activateSkill('one')
  expect((await warned).message).toContain('is no longer the one that was opened here')
  expect(reader.state).toEqual(state)
  for (const workspace of [writer, reader, other]) await workspace.close()
})
