import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  openSqliteLog,
  type SqliteLog,
} from '../../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { eventLogContract } from '../../../../src/entries/testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'loadout-sqlite-'))
const opened: SqliteLog[] = []

afterAll(async () => {
  for (const log of opened) await log.close()
  rmSync(folder, { recursive: true })
})

eventLogContract({ describe, expect, test }, 'A SQLite log', {
  sessions: 'many',
  follows: true,
  create: async () => {
    const file = join(folder, `${opened.length}.sqlite`)
    const open = async () => {
      const log = await openSqliteLog(file)
      opened.push(log)
      return log
    }
    return { log: await open(), again: open }
  },
})
