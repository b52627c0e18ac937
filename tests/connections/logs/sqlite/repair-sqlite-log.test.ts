import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exportLog } from '../../../../src/connections/logs/jsonl/export-lines.ts'
import { importLog } from '../../../../src/connections/logs/jsonl/import-session.ts'
import { openSqliteLog } from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import {
  readValidEntries,
  repairSqliteLog,
} from '../../../../src/connections/logs/sqlite/repair-sqlite-log.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import { anOffice } from './an-office.ts'
import { twoSessions } from './two-sessions.ts'
import { someEntries } from '../../../../src/connections/logs/contract/event-log-case.ts'
import { storedDefinition } from '../../../../src/connections/logs/contract/event-log-case.ts'

describe('repair sqlite log', () => {
  const sessions = twoSessions()

  const lost = (count: number) => ({ count, unit: 'entry' })

  test.each([
    {
      what: 'a gap',
      sql: `DELETE FROM entry WHERE session = '"s1"' AND seq = 20`,
      damage: { lastGoodSeq: 19, reason: 'entry 20 is missing', lost: lost(40) },
    },
    {
      what: 'a changed entry',
      sql: `UPDATE entry SET text = replace(text, 'one', 'won') WHERE session = '"s1"' AND seq = 7`,
      damage: { lastGoodSeq: 6, reason: 'entry 7 is not what was written', lost: lost(53) },
    },
    {
      what: 'a tail that is gone',
      sql: `DELETE FROM entry WHERE session = '"s1"' AND seq >= 50`,
      damage: { lastGoodSeq: 49, reason: 'it should have 60 entries', lost: lost(10) },
    },
    {
      what: 'a session without its row',
      sql: `DELETE FROM session WHERE name = '"s1"'`,
      damage: { lastGoodSeq: 59, reason: 'its row is missing', lost: lost(0) },
    },
    {
      what: 'a changed row',
      sql: `UPDATE session SET version = 59 WHERE name = '"s1"'`,
      damage: { lastGoodSeq: 59, reason: 'its row is not what was written', lost: lost(0) },
    },
  ])('$what is cut off, and the session goes on after it', async ({ sql, damage }) => {
    sessions.change(sql)
    const told = { session: 's1', line: null, ...damage }
    expect(await readValidEntries(sessions.file, 's1')).toMatchObject({ damage: told })
    const planned = await repairSqliteLog(sessions.file, { dryRun: true })
    expect(planned).toEqual({ file: sessions.file, damages: [told], definitions: 0, copy: null })
    const done = await repairSqliteLog(sessions.file)
    expect(done).toEqual({ ...planned, copy: `${sessions.file}.damaged-1` })
    await using log = await openSqliteLog(sessions.file)
    const next = damage.lastGoodSeq + 1
    expect(await log.read('s1')).toEqual(someEntries(0, next, 'one'))
    await log.append('s1', next, someEntries(next, next + 1, 'one'))
    expect(await log.read('s2')).toEqual(someEntries(0, 60, 'two'))
    expect((await repairSqliteLog(sessions.file)).damages).toEqual([])
  })

  test('the copy is the damaged file, readable as before, and is never overwritten', async () => {
    writeFileSync(`${sessions.file}.damaged-1`, 'kept by somebody')
    sessions.change(`DELETE FROM entry WHERE session = '"s1"' AND seq = 20`)
    const { copy } = await repairSqliteLog(sessions.file)
    expect(copy).toBe(`${sessions.file}.damaged-2`)
    await using log = await openSqliteLog(`${sessions.file}.damaged-2`)
    await expect(log.read('s1')).rejects.toMatchObject({ facts: { lastGoodSeq: 19 } })
    expect(await log.read('s2')).toEqual(someEntries(0, 60, 'two'))
  })

  test('what only the write-ahead log has is in the copy as well', async () => {
    await using log = await openSqliteLog(sessions.file, { durability: 'os' })
    await log.append('s3', 0, someEntries(0, 5))
    expect(existsSync(`${sessions.file}-wal`)).toBe(true)
    sessions.change(`UPDATE entry SET sum = 'x' WHERE session = '"s1"' AND seq = 3`)
    const { copy } = await repairSqliteLog(sessions.file)
    await using old = await openSqliteLog(String(copy))
    expect(await old.read('s3')).toEqual(someEntries(0, 5))
    await expect(old.read('s1')).rejects.toMatchObject({ facts: { lastGoodSeq: 2 } })
  })

  test('a file that is whole is left alone', async () => {
    expect(await repairSqliteLog(sessions.file)).toEqual({
      file: sessions.file,
      damages: [],
      definitions: 0,
      copy: null,
    })
    expect(readdirSync(sessions.folder)).toEqual(['sessions.sqlite'])
  })

  test('one session can be repaired without changing the others', async () => {
    sessions.change(`UPDATE entry SET sum = 'x' WHERE seq = 3; UPDATE definition SET text = '{}'`)
    const { damages, definitions } = await repairSqliteLog(sessions.file, { session: 's2' })
    expect([damages.map(({ session }) => session), definitions]).toEqual([['s2'], 0])
    await using log = await openSqliteLog(sessions.file)
    expect(await log.read('s2')).toHaveLength(3)
    await expect(log.read('s1')).rejects.toMatchObject({ code: 'LOG_DAMAGED' })
  })

  test('a session of which nothing is whole goes, and a damaged definition can be written again', async () => {
    sessions.change(
      `UPDATE entry SET sum = 'x' WHERE session = '"s1"'; UPDATE definition SET text = '{}'`,
    )
    expect(await repairSqliteLog(sessions.file)).toMatchObject({
      damages: [{ session: 's1', lastGoodSeq: -1, lost: lost(60) }],
      definitions: 1,
    })
    await using log = await openSqliteLog(sessions.file)
    expect((await log.list()).map(({ session }) => session)).toEqual(['s2'])
    expect(await storedDefinition(log, textHash('a'))).toBeUndefined()
  })

  test('a session of a later version is no damage', async () => {
    const later = JSON.stringify({ ...someEntries(0, 1)[0], event: { type: 'time.travelled' } })
    const { nextSum } = await import('../../../../src/connections/logs/rows/session-row.ts')
    const insert = `INSERT INTO entry VALUES ('"s9"', 0, '${later}', '${nextSum('"s9"', later)}')`
    sessions.change(`DELETE FROM session WHERE name = '"s1"'; ${insert}`)
    expect((await repairSqliteLog(sessions.file)).damages).toMatchObject([{ session: 's1' }])
    await expect(repairSqliteLog(sessions.file, { session: 's9' })).rejects.toMatchObject({
      code: 'LOG_UNKNOWN_EVENT',
    })
  })

  test('the file of another program and a missing one are refused, and not changed', async () => {
    const other = join(sessions.folder, 'other.txt')
    writeFileSync(other, 'a letter')
    await expect(repairSqliteLog(other)).rejects.toMatchObject({ code: 'LOG_FORMAT' })
    const missing = join(sessions.folder, 'missing.sqlite')
    await expect(repairSqliteLog(missing)).rejects.toMatchObject({ code: 'LOG_UNREADABLE' })
    expect(readdirSync(sessions.folder)).toEqual(['other.txt', 'sessions.sqlite'])
  })

  test('a log that is only read accepts nothing and leaves nothing next to it', async () => {
    const before = readdirSync(sessions.folder)
    {
      await using log = await openSqliteLog(sessions.file, { readOnly: true })
      expect(await log.read('s1', 58)).toEqual(someEntries(58, 60, 'one'))
      await expect(log.append('s1', 60, someEntries(60, 61))).rejects.toMatchObject({
        code: 'LOG_WRITE_FAILED',
      })
      await expect(log.delete('s1')).rejects.toMatchObject({ code: 'LOG_WRITE_FAILED' })
    }
    expect(readdirSync(sessions.folder)).toEqual(before)
    copyFileSync(sessions.file, join(sessions.folder, 'again.sqlite'))
  })
})

describe('whole session', () => {
  const CHILD = fileURLToPath(new URL('./resume-in-child.ts', import.meta.url))

  let folder = ''

  let file = ''

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'loadout-sqlite-'))
    file = join(folder, 'sessions.sqlite')
  })

  afterEach(() => rmSync(folder, { recursive: true }))

  test('a session goes on in another process, and the first one sees what happened there', async () => {
    await using log = await openSqliteLog(file)
    const workspace = await anOffice(log)
    await workspace.activateSkill('research')
    const before = JSON.parse(JSON.stringify(workspace.state)) as unknown
    const output = execFileSync(process.execPath, [CHILD, file], { encoding: 'utf8' })
    const { state, answer } = JSON.parse(output) as { state: unknown; answer: unknown }
    expect(state).toEqual(before)
    expect(answer).toMatchObject({ ok: true, data: { word: 'owl' } })
    await workspace.beginTurn()
    const types = (await log.read('work')).map(({ event }) => event.type)
    expect(types).toContain('call.ended')
    expect(workspace.state.seq).toBe(types.length - 1)
    await workspace.close()
  })

  test('a session leaves as JSON Lines and comes into another file the same', async () => {
    await using from = await openSqliteLog(file)
    const workspace = await anOffice(from)
    await workspace.activateSkill('research')
    await workspace.close()
    const text = await exportLog(from, 'work')

    await using to = await openSqliteLog(`${file}.copy`)
    const { session, entries, definitions } = importLog(text)
    expect(definitions.size).toBeGreaterThan(0)
    for (const [hash, value] of definitions) await to.definitions.put(hash, value)
    await to.append(session ?? '', 0, entries)
    expect(await exportLog(to, 'work')).toBe(text)
  })
})
