import type { DatabaseSync } from 'node:sqlite'
import { inTransaction, notALog } from './retry-while-busy.ts'
import { logFormatTooNew } from '../log-location.ts'

/** Marks a SQLite file as a Loadout log: `LOAD` in ASCII. */
const APPLICATION_ID = 0x4c4f4144

/**
 * Returns the format of a file, 0 when it has no tables. Throws `LOG_FORMAT` when it is not a log, or
 * its format is later than `latest`.
 *
 * Call it in a transaction: it takes three statements, and between two of them another process may
 * create the tables.
 */
export function checkDatabaseFormat(database: DatabaseSync, file: string, latest: number): number {
  const application = pragma(database, 'application_id')
  const format = pragma(database, 'user_version')
  if (application !== APPLICATION_ID) {
    const tables = Object.values(
      database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() ?? {},
    )
    if (application !== 0 || format !== 0 || tables[0] !== 0) throw notALog(file)
  }
  if (format <= latest) return format
  throw logFormatTooNew({ what: `${file} is a log`, found: format, latest, facts: { file } })
}

/**
 * Migrates a file to the latest format in one transaction: on any failure it keeps the old format.
 * When several processes open it at the same time, one of them does the work.
 */
export function migrateDatabase(
  database: DatabaseSync,
  file: string,
  steps: readonly string[],
): void {
  const check = (): number => checkDatabaseFormat(database, file, steps.length)
  if (inTransaction(database, 'DEFERRED', check) === steps.length) return
  inTransaction(database, 'IMMEDIATE', () => {
    for (const step of steps.slice(check())) database.exec(step)
    database.exec(
      `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${steps.length}`,
    )
  })
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0])
}

/**
 * The migrations: the step at index n takes a file from format n to n + 1. A released step is never
 * changed.
 *
 * Session names are stored as JSON text, since SQLite ends a text at NUL and has no lone
 * surrogates. The `sum` of an entry covers it and all entries before it, that of any other row the
 * row alone; a snapshot carries its own checksum. The table of entries has row numbers: without
 * them, each entry of more than a kilobyte takes an extra page.
 */
export const SQLITE_MIGRATIONS: readonly string[] = [
  `CREATE TABLE session (
     name TEXT PRIMARY KEY,
     format INTEGER NOT NULL,
     version INTEGER NOT NULL,
     opened_at REAL NOT NULL,
     changed_at REAL NOT NULL,
     last_sum TEXT NOT NULL,
     sum TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE entry (
     session TEXT NOT NULL,
     seq INTEGER NOT NULL,
     text TEXT NOT NULL,
     sum TEXT NOT NULL,
     PRIMARY KEY (session, seq)
   ) STRICT;
   CREATE TABLE definition (
     hash TEXT PRIMARY KEY,
     text TEXT NOT NULL,
     sum TEXT NOT NULL
   ) STRICT;`,
  `CREATE TABLE snapshot (
     session TEXT NOT NULL,
     seq INTEGER NOT NULL,
     format TEXT NOT NULL,
     text TEXT NOT NULL,
     PRIMARY KEY (session, seq)
   ) STRICT;`,
  'CREATE INDEX session_by_change ON session (changed_at DESC, name);',
]

/** Empty temporary tables that replace those of later formats when a file is opened read-only. */
export const TEMPORARY_TABLES: readonly string[] = SQLITE_MIGRATIONS.map((step) =>
  step.startsWith('CREATE TABLE') ? step.replaceAll('CREATE TABLE', 'CREATE TEMP TABLE') : '',
)

/**
 * Drops the temporary tables that a read-only connection uses in place of tables that the file has by now,
 * because another process migrated it. Statements then read those of the file.
 */
export function dropReplacedTables(database: DatabaseSync): void {
  const replaced = database.prepare(
    `SELECT name FROM temp.sqlite_schema WHERE type = 'table'
     AND name IN (SELECT name FROM main.sqlite_schema)`,
  )
  const drops = replaced.all().map(({ name }) => `DROP TABLE temp.${String(name)}`)
  if (drops.length === 0) return
  database.exec(['PRAGMA query_only = OFF', ...drops, 'PRAGMA query_only = ON'].join(';'))
}
