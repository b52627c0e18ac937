import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Entry, WorkspaceError } from '../../../entries/index.ts'
import { checkedText, checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import { backUpFile } from '../back-up-file.ts'
import { openDatabase } from './open-database.ts'
import { inTransaction, retryWhileBusy } from './retry-while-busy.ts'
import { iterateRows } from './session-tables.ts'
import { LOG_FORMAT } from '../../../engine/model/workspace-event.ts'
import type { LogDamage, LogRepair } from '../log-damage.ts'
import { nextSum, readSessionRow, sessionColumns, sessionNameOfKey } from '../rows/session-row.ts'
import { walkEntries } from '../rows/walk-entries.ts'

export interface SqliteRepairOptions {
  /** Repair only this session; all of them by default. */
  readonly session?: string
  /** Report the damage and change nothing. */
  readonly dryRun?: boolean
  /** Milliseconds to wait for other connections; 5,000 by default. */
  readonly lockWaitMs?: number
}

const OPTIONS: OptionsOf<SqliteRepairOptions> = {
  session: 'text',
  dryRun: 'switch',
  lockWaitMs: 'number',
}

/**
 * Cuts each damaged session after its last valid entry and deletes damaged definitions.
 *
 * Copies the file first, to `<file>.damaged-1` or the next free number. A session without a valid
 * entry is deleted; undamaged sessions are not changed. The repair is atomic. Throws `LOG_DAMAGED`
 * where SQLite cannot change a damaged page; the valid entries can still be exported then.
 */
export async function repairSqliteLog(
  path: string,
  options: SqliteRepairOptions = {},
): Promise<LogRepair> {
  checkOptions(options, OPTIONS)
  const { session, dryRun = false, lockWaitMs = 5000 } = options
  const file = resolve(checkedText(path, 'path'))
  const settings = { durability: 'full', lockWaitMs, maxBytes: Infinity } as const
  const only = session === undefined ? null : JSON.stringify(session)
  const reader = await openDatabase(file, { ...settings, readOnly: true })
  const reading = { file, doing: 'reading', waitMs: lockWaitMs } as const
  const found = await retryWhileBusy(reading, () =>
    inTransaction(reader, 'DEFERRED', () => faultsIn(reader, only)),
  ).finally(() => reader.close())
  if (dryRun || isIntact(found)) return reportOf(file, found, null)
  const database = await openDatabase(file, settings)
  try {
    return await retryWhileBusy({ ...reading, doing: 'writing' }, () =>
      inTransaction(database, 'IMMEDIATE', () => {
        const faults = faultsIn(database, only)
        if (isIntact(faults)) return reportOf(file, faults, null)
        // The write-ahead log first: this connection may move pages of it into the file meanwhile, and
        // the two copies together still have all of them.
        const copy = backUpFile(file, ['-wal', ''])
        for (const one of faults.sessions) truncateSession(database, one)
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
  /** Hashes of damaged definitions. */
  readonly definitions: readonly string[]
}

/** @param only the key of the one session to check, without definitions; null for everything */
function faultsIn(database: DatabaseSync, only: string | null): Faults {
  const keys = database
    .prepare('SELECT name FROM session UNION SELECT DISTINCT session FROM entry')
    .all()
    .map(({ name }) => String(name))
  const sessions = (only === null ? keys : [only]).flatMap((key) => {
    const valid = only === null ? validUnlessLater(database, key) : validEntries(database, key)
    return valid === null || valid.damage === null ? [] : [valid]
  })
  const definitions = []
  if (only === null) {
    for (const { hash, text, sum } of database.prepare('SELECT * FROM definition').iterate()) {
      if (sum !== nextSum(String(hash), String(text))) definitions.push(String(hash))
    }
  }
  return { sessions, definitions }
}

/** Returns null for a session that a later version wrote: it is not damaged. */
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

function isIntact({ sessions, definitions }: Faults): boolean {
  return sessions.length === 0 && definitions.length === 0
}

function reportOf(file: string, faults: Faults, copy: string | null): LogRepair {
  const damages = faults.sessions.flatMap(({ damage }) => damage ?? [])
  return { file, damages, definitions: faults.definitions.length, copy }
}

function truncateSession(database: DatabaseSync, { key, entries, sum }: ValidEntries): void {
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

/** The valid entries of a session, from its beginning. */
interface ValidEntries {
  /** Its name as JSON text, as the tables store it. */
  readonly key: string
  readonly entries: readonly Entry[]
  /** Checksum of the last valid entry. */
  readonly sum: string
  /** Null when all entries are valid. */
  readonly damage: LogDamage | null
}

/**
 * Reads the valid entries of a session, ignoring its row. Returns null when it has neither a row
 * nor entries. The caller runs it in a transaction. Throws `LOG_FORMAT` and `LOG_UNKNOWN_EVENT`: a
 * session of another version is not damaged.
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
  const valid = { key, entries, sum }
  if (reason === null) return { ...valid, damage: null }
  const highest = database.prepare('SELECT max(seq) + 1 AS next FROM entry WHERE session = ?')
  const [found] = iterateRows(highest, key)
  // 0 where the page that stores it is damaged.
  const next = typeof found === 'object' ? Number(found['next'] ?? 0) : 0
  const count = Math.max(version, next) - entries.length
  return {
    ...valid,
    damage: {
      session: sessionNameOfKey(key) ?? key,
      lastGoodSeq: entries.length - 1,
      reason,
      line: null,
      lost: { count: Math.max(0, count), unit: 'entry' },
    },
  }
}

/** Milliseconds to wait for other connections. */
const WAIT_MS = 5000

/**
 * Reads the valid entries of one session of a file and its damage; null when the file does not have
 * the session.
 */
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
