import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqliteLog } from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { someEntries } from '../../../../src/connections/logs/contract/event-log-case.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-part-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

test.each([
  { lost: 3, from: 0, last: 3 },
  { lost: 3, from: 2, last: 5 },
  { lost: 1, from: 2, last: 3 },
  { lost: 9, from: 0, last: 3 },
])('with entry $lost lost, reading $from to $last is damage', async ({ lost, from, last }) => {
  const file = join(folder, 'sessions.sqlite')
  await using log = await openSqliteLog(file)
  await log.append('s1', 0, someEntries(0, 10))
  using database = new DatabaseSync(file)
  database.prepare('DELETE FROM entry WHERE seq = ?').run(lost)
  await expect(log.read('s1', from, last)).rejects.toMatchObject({
    code: 'LOG_DAMAGED',
    facts: { session: 's1', lastGoodSeq: lost - 1 },
  })
})

test('what was damaged beyond the last entry that is wanted is not read', async () => {
  const file = join(folder, 'sessions.sqlite')
  await using log = await openSqliteLog(file)
  await log.append('s1', 0, someEntries(0, 10))
  using database = new DatabaseSync(file)
  database.prepare("UPDATE entry SET text = '{}' WHERE seq = 5").run()
  expect(await log.read('s1', 0, 4)).toEqual(someEntries(0, 5))
  await expect(log.read('s1', 0, 5)).rejects.toMatchObject({ facts: { lastGoodSeq: 4 } })
})
