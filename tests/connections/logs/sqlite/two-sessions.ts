import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach } from 'vitest'
import { openSqliteLog } from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import { someEntries } from '../../../../src/connections/logs/contract/event-log-case.ts'

/** A file that may be changed behind the log's back. */
export interface TwoSessions {
  readonly folder: string
  readonly file: string
  change(sql: string): void
}

/** For each test a closed file of a definition, and of sessions `s1` and `s2` of 60 entries. */
export function twoSessions(): TwoSessions {
  const made = { folder: '', file: '' }
  beforeEach(async () => {
    made.folder = mkdtempSync(join(tmpdir(), 'loadout-sqlite-'))
    made.file = join(made.folder, 'sessions.sqlite')
    await using log = await openSqliteLog(made.file, { durability: 'os' })
    await log.definitions.put(textHash('a'), { name: 'search' })
    await log.append('s1', 0, someEntries(0, 60, 'one'))
    await log.append('s2', 0, someEntries(0, 60, 'two'))
  })
  afterEach(() => rmSync(made.folder, { recursive: true }))
  return Object.assign(made, {
    change(sql: string) {
      const database = new DatabaseSync(made.file)
      database.exec(sql)
      database.close()
    },
  })
}
