import type { DatabaseSync } from 'node:sqlite'
import { laterLog } from '../../../workspace/log/later-log.ts'
import { inTransaction } from './in-transaction.ts'
import { notALog } from './sqlite-failure.ts'

/** Marks a SQLite file as ours: `LOAD` in ASCII. */
const APPLICATION = 0x4c4f4144

/**
 * See that the file is ours or empty, and of no later format than this version's; gives its
 * format, 0 when it is empty. Throws `LOG_FORMAT`.
 */
export function checkFormat(database: DatabaseSync, file: string, latest: number): number {
  const application = pragma(database, 'application_id')
  const format = pragma(database, 'user_version')
  if (application !== APPLICATION) {
    const tables = Object.values(
      database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() ?? {},
    )
    if (application !== 0 || format !== 0 || tables[0] !== 0) throw notALog(file)
  }
  if (format <= latest) return format
  throw laterLog({ what: `${file} is a log`, found: format, latest, facts: { file } })
}

/**
 * Take a file to the latest format, in one transaction: it is of the old format or of the new
 * one, whatever fails. Of several processes that open it at once, one does the work.
 */
export function bringToFormat(
  database: DatabaseSync,
  file: string,
  steps: readonly string[],
): void {
  if (checkFormat(database, file, steps.length) === steps.length) return
  inTransaction(database, 'IMMEDIATE', () => {
    const format = checkFormat(database, file, steps.length)
    for (const step of steps.slice(format)) database.exec(step)
    database.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${steps.length}`)
  })
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0])
}
