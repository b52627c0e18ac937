import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSqliteLog } from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import { WorkspaceError } from '../../../../src/kernel/workspace-error.ts'
import { someEntries } from '../../../../src/connections/logs/contract/event-log-case.ts'
import { twoSessions } from './two-sessions.ts'
import { storedDefinition } from '../../../../src/connections/logs/contract/event-log-case.ts'

const sessions = twoSessions()

/** The code of the error, or what came out. */
async function outcome<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work()
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    return error.code
  }
}

describe('damage', () => {
  test.each([
    {
      what: 'a gap',
      sql: `DELETE FROM entry WHERE session = '"s1"' AND seq = 20`,
      lastGoodSeq: 19,
      reason: 'entry 20 is missing',
    },
    {
      what: 'a changed entry',
      sql: `UPDATE entry SET text = replace(text, 'one', 'won') WHERE seq = 7`,
      lastGoodSeq: 6,
      reason: 'entry 7 is not what was written',
    },
    {
      what: 'an entry that is no JSON',
      sql: `UPDATE entry SET text = '{' WHERE seq = 7`,
      lastGoodSeq: 6,
      reason: 'entry 7 is not what was written',
    },
    {
      what: 'a tail that is gone',
      sql: `DELETE FROM entry WHERE session = '"s1"' AND seq >= 50`,
      lastGoodSeq: 49,
      reason: 'it should have 60 entries',
    },
    {
      what: 'a session without its row',
      sql: `DELETE FROM session WHERE name = '"s1"'`,
      lastGoodSeq: 59,
      reason: 'its row is missing',
    },
    {
      what: 'a changed row of a session',
      sql: `UPDATE session SET version = 59 WHERE name = '"s1"'`,
      lastGoodSeq: 59,
      reason: 'its row is not what was written',
    },
  ])('$what is reported with its place and the last good entry', async (row) => {
    sessions.change(row.sql)
    await using log = await openSqliteLog(sessions.file)
    await expect(log.read('s1')).rejects.toMatchObject({
      code: 'LOG_DAMAGED',
      facts: {
        file: sessions.file,
        session: 's1',
        lastGoodSeq: row.lastGoodSeq,
        reason: row.reason,
      },
    })
  })

  test('that a read from the middle meets is placed as from the beginning', async () => {
    sessions.change(`UPDATE entry SET sum = 'x' WHERE seq = 29`)
    await using log = await openSqliteLog(sessions.file)
    await expect(log.read('s1', 30)).rejects.toMatchObject({ facts: { lastGoodSeq: 28 } })
  })

  test('of the row or the last entry of a session keeps an append from it', async () => {
    sessions.change(`DELETE FROM entry WHERE session = '"s1"' AND seq = 59;
      UPDATE session SET changed_at = 5 WHERE name = '"s2"'`)
    await using log = await openSqliteLog(sessions.file)
    for (const session of ['s1', 's2']) {
      const append = log.append(session, 60, someEntries(60, 61))
      await expect(append).rejects.toMatchObject({ code: 'LOG_DAMAGED', facts: { session } })
    }
  })

  test('of the row of one session leaves it and the others in the list', async () => {
    sessions.change(`UPDATE session SET changed_at = 5 WHERE name = '"s2"'`)
    await using log = await openSqliteLog(sessions.file)
    const damage = 'its row is not what was written'
    expect(await log.list()).toMatchObject([
      { session: 's1', version: 60 },
      { session: 's2', version: 60, damage },
    ])
    expect((await log.list())[0]).not.toHaveProperty('damage')
  })

  test('of a session that lost its row is in the list, by its entries', async () => {
    sessions.change(`DELETE FROM session WHERE name = '"s1"'`)
    await using log = await openSqliteLog(sessions.file)
    expect(await log.list()).toMatchObject([
      { session: 's2' },
      { session: 's1', version: 60, damage: 'its row is missing' },
    ])
  })

  test('of one session leaves the others', async () => {
    sessions.change(`DELETE FROM entry WHERE session = '"s1"' AND seq = 20`)
    await using log = await openSqliteLog(sessions.file)
    expect(await log.read('s2')).toEqual(someEntries(0, 60, 'two'))
    await log.delete('s1')
    expect(await log.read('s1')).toEqual([])
  })

  test('of a definition is reported when it is read', async () => {
    sessions.change(`UPDATE definition SET text = '{}'`)
    await using log = await openSqliteLog(sessions.file)
    await expect(storedDefinition(log, textHash('a'))).rejects.toMatchObject({
      code: 'LOG_DAMAGED',
    })
  })

  test('reads as a sentence', async () => {
    sessions.change(`DELETE FROM entry WHERE session = '"s1"' AND seq = 20`)
    await using log = await openSqliteLog(sessions.file)
    const error = await log.read('s1').catch((error: unknown) => error as WorkspaceError)
    expect(
      `${String(error).replaceAll(sessions.file, 'FILE')} ${(error as WorkspaceError).hint}`,
    ).toMatchInlineSnapshot(
      `"WorkspaceError: Session "s1" in FILE is damaged: entry 20 is missing. Entries up to 19 are intact. Keep a copy of the file before you repair it."`,
    )
  })

  test('of any byte gives what was written, or an error of ours', async () => {
    const whole = readFileSync(sessions.file)
    const copy = join(sessions.folder, 'copy.sqlite')
    const codes = new Set<string>()
    let reported = 0
    // A stride that is prime to the page size meets every part of a page.
    for (let at = 0; at < whole.length; at += 97) {
      copyFileSync(sessions.file, copy)
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
      writeFileSync(copy, bytes)
      const found = await outcome(async () => {
        await using log = await openSqliteLog(copy, { durability: 'os' })
        const list = await outcome(() => log.list())
        const [one, two] = [
          await outcome(() => log.read('s1')),
          await outcome(() => log.read('s2')),
        ]
        if (typeof one !== 'string') expect(one, `byte ${at}`).toEqual(someEntries(0, 60, 'one'))
        if (typeof two !== 'string') expect(two, `byte ${at}`).toEqual(someEntries(0, 60, 'two'))
        if (typeof list === 'string') return list
        if (list.some(({ damage }) => damage !== undefined)) return 'LOG_DAMAGED'
        expect(list, `byte ${at}`).toHaveLength(2)
        return [one, two].find((part) => typeof part === 'string') ?? 'whole'
      })
      codes.add(String(found))
      if (found !== 'whole') reported += 1
    }
    expect(reported).toBeGreaterThan(50)
    expect([...codes].sort()).toMatchInlineSnapshot(`
        [
          "LOG_DAMAGED",
          "LOG_FORMAT",
          "whole",
        ]
      `)
  })
})
