import { closeSync, constants, copyFileSync, existsSync, fsyncSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openDatabase } from './open-database.ts'
import { inTransaction, retryWhileBusy } from './retry-while-busy.ts'
import { iterateRows } from './session-tables.ts'
import { type Entry, LOG_FORMAT } from '../../../engine/model/workspace-event.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import type { LogDamage, LogRepair } from '../../../workspace/log/log-damage.ts'
import {
  nextSum,
  readSessionRow,
  sessionColumns,
  sessionNameOfKey,
} from '../../../workspace/log/session-row.ts'
import { walkEntries } from '../../../workspace/log/walk-entries.ts'

export interface SqliteRepairOptions {
  /** The one session that is looked at; all of them when absent. */
  readonly session?: string
  /** Say what would be done, and do nothing. */
  readonly dryRun?: boolean
  /** How long other connections are waited for, in milliseconds; 5,000 by default. */
  readonly lockWaitMs?: number
}

/**
 * Cut damaged sessions after their last whole entry, and take out definitions that are not what was
 * written, once a copy of the file stands beside it, as `<file>.damaged-1` or the next number that is
 * free. A session of which nothing is whole goes. What is whole is left alone.
 *
 * All or nothing. Where SQLite cannot change a page that is damaged it throws `LOG_DAMAGED`: what is
 * whole can be exported then.
 */
export async function repairSqliteLog(
  path: string,
  { session, dryRun = false, lockWaitMs = 5000 }: SqliteRepairOptions = {},
): Promise<LogRepair> {
  const file = resolve(path)
  const settings = { durability: 'full', lockWaitMs, maxBytes: Infinity } as const
  const only = session === undefined ? null : JSON.stringify(session)
  const looked = await openDatabase(file, { ...settings, readOnly: true })
  const reading = { file, doing: 'reading', waitMs: lockWaitMs } as const
  const found = await retryWhileBusy(reading, () =>
    inTransaction(looked, 'DEFERRED', () => faultsIn(looked, only)),
  ).finally(() => looked.close())
  if (dryRun || isNothing(found)) return reportOf(file, found, null)
  const database = await openDatabase(file, settings)
  try {
    return await retryWhileBusy({ ...reading, doing: 'writing' }, () =>
      inTransaction(database, 'IMMEDIATE', () => {
        const faults = faultsIn(database, only)
        if (isNothing(faults)) return reportOf(file, faults, null)
        const copy = backUpDatabase(file)
        for (const one of faults.sessions) cutSession(database, one)
        const drop = database.prepare('DELETE FROM definition WHERE hash = ?')
        for (const hash of faults.definitions) drop.run(hash)
        return reportOf(file, faults, copy)
      }),
    )
  } finally {
    database.close()
  }
}

interface Faults {
  readonly sessions: readonly ValidEntries[]
  /** Hashes. */
  readonly definitions: readonly string[]
}

/** @param only the key of the one session that is looked at, and no definitions; null for all */
function faultsIn(database: DatabaseSync, only: string | null): Faults {
  const keys = database
    .prepare('SELECT name FROM session UNION SELECT DISTINCT session FROM entry')
    .all()
    .map(({ name }) => String(name))
  const sessions = (only === null ? keys : [only]).flatMap((key) => {
    const whole = only === null ? validUnlessLater(database, key) : validEntries(database, key)
    return whole === null || whole.damage === null ? [] : [whole]
  })
  const definitions = []
  if (only === null) {
    for (const { hash, text, sum } of database.prepare('SELECT * FROM definition').iterate()) {
      if (sum !== nextSum(String(hash), String(text))) definitions.push(String(hash))
    }
  }
  return { sessions, definitions }
}

/** Null for a session that a later version wrote: it is not damaged. */
function validUnlessLater(database: DatabaseSync, key: string): ValidEntries | null {
  try {
    return validEntries(database, key)
  } catch (error) {
    const isLater = WorkspaceError.is(error) && LATER_FORMAT_CODES.has(error.code)
    if (isLater) return null
    throw error
  }
}

const LATER_FORMAT_CODES: ReadonlySet<string> = new Set(['LOG_FORMAT', 'LOG_UNKNOWN_EVENT'])

function isNothing({ sessions, definitions }: Faults): boolean {
  return sessions.length === 0 && definitions.length === 0
}

function reportOf(file: string, faults: Faults, copy: string | null): LogRepair {
  const damages = faults.sessions.flatMap(({ damage }) => damage ?? [])
  return { file, damages, definitions: faults.definitions.length, copy }
}

function cutSession(database: DatabaseSync, { key, entries, sum }: ValidEntries): void {
  const length = entries.length
  database.prepare('DELETE FROM snapshot WHERE session = ?').run(key)
  database.prepare('DELETE FROM entry WHERE session = ? AND seq >= ?').run(key, length)
  database.prepare('DELETE FROM session WHERE name = ?').run(key)
  const [first]: readonly Entry[] = entries
  const last = entries.at(-1)
  if (first === undefined || last === undefined) return
  const row = { key, format: LOG_FORMAT, version: length, lastSum: sum }
  const columns = sessionColumns({ ...row, openedAt: first.at, changedAt: last.at })
  database.prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)').run(...columns)
}

/**
 * Keep a copy of a database as `<file>.damaged-1` or the next number that is free, forced to the disk;
 * gives its name. To be called by who keeps other writers out.
 *
 * The write-ahead log is copied first: while this connection writes, its pages may be taken over into
 * the file, and both together are what they were.
 */
function backUpDatabase(file: string): string {
  for (let number = 1; ; number += 1) {
    const copy = `${file}.damaged-${number}`
    if (existsSync(copy) || existsSync(`${copy}-wal`)) continue
    const parts = existsSync(`${file}-wal`) ? ['-wal', ''] : ['']
    try {
      for (const part of parts) {
        copyFileSync(`${file}${part}`, `${copy}${part}`, constants.COPYFILE_EXCL)
        syncFile(`${copy}${part}`)
      }
    } catch (error) {
      throw notCopied(file, copy, error)
    }
    return copy
  }
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function notCopied(file: string, copy: string, cause: unknown): WorkspaceError {
  return new WorkspaceError('LOG_WRITE_FAILED', `No copy of ${file} could be kept at ${copy}.`, {
    facts: { file, copy },
    hint: 'Nothing was changed. See that there is room for a copy beside it.',
    cause,
  })
}

/** What of a session is what was written, from its beginning. */
interface ValidEntries {
  /** Its name as JSON text, as the tables have it. */
  readonly key: string
  readonly entries: readonly Entry[]
  /** Checksum of the last of them. */
  readonly sum: string
  /** Null when that is all of it. */
  readonly damage: LogDamage | null
}

/**
 * Read the entries of a session as far as they are whole, whatever its row says; null when there is
 * neither. To be run inside a transaction. Throws `LOG_FORMAT` and `LOG_UNKNOWN_EVENT`: what another
 * version wrote is not damaged.
 */
function validEntries(database: DatabaseSync, key: string): ValidEntries | null {
  const columns = database.prepare('SELECT * FROM session WHERE name = ?').get(key)
  const rows = database.prepare('SELECT seq, text, sum FROM entry WHERE session = ? ORDER BY seq')
  const walk = walkEntries(iterateRows(rows, key), { seq: 0, sum: key })
  const { entries, sum, fault } = walk
  if (columns === undefined && entries.length === 0 && fault === null) return null
  const row = columns === undefined ? null : readSessionRow(columns)
  const version = row?.version ?? entries.length
  const reason =
    fault ??
    (columns === undefined
      ? 'its row is missing'
      : row === null
        ? 'its row is not what was written'
        : version !== entries.length || row.lastSum !== sum
          ? `it should have ${version} entries`
          : null)
  const whole = { key, entries, sum }
  if (reason === null) return { ...whole, damage: null }
  const count = Math.max(version, nextSeq(database, key)) - entries.length
  return {
    ...whole,
    damage: {
      session: sessionNameOfKey(key) ?? key,
      lastGoodSeq: entries.length - 1,
      reason,
      line: null,
      lost: { count: Math.max(0, count), unit: 'entry' },
    },
  }
}

/** One past the highest number that an entry of it has; 0 where the page that says so is damaged. */
function nextSeq(database: DatabaseSync, key: string): number {
  const rows = database.prepare('SELECT max(seq) + 1 AS next FROM entry WHERE session = ?')
  const [row] = iterateRows(rows, key)
  return row === undefined || typeof row === 'string' ? 0 : Number(row['next'] ?? 0)
}

/** How long other connections are waited for, in milliseconds. */
const WAIT_MS = 5000

/** What of one session of a file is whole, and what is not. Null when the file does not know it. */
export async function readValidEntries(
  path: string,
  session: string,
): Promise<ValidEntries | null> {
  const file = resolve(path)
  const settings = { durability: 'full', lockWaitMs: WAIT_MS, maxBytes: Infinity } as const
  const database = await openDatabase(file, { ...settings, readOnly: true })
  try {
    return await retryWhileBusy({ file, doing: 'reading', waitMs: WAIT_MS }, () =>
      inTransaction(database, 'DEFERRED', () => validEntries(database, JSON.stringify(session))),
    )
  } finally {
    database.close()
  }
}
