import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { LOG_FORMAT, type Entry } from '../../../engine/model/event.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import type { LogRepair } from '../../../workspace/log/log-repair.ts'
import { nextSum } from '../../../workspace/log/next-sum.ts'
import { sessionColumns } from '../../../workspace/log/session-row.ts'
import { copyBeside } from './copy-beside.ts'
import { inTransaction } from './in-transaction.ts'
import { openDatabase } from './open-database.ts'
import { type WholeEntries, wholeEntries } from './session-damage.ts'
import { whenFree } from './when-free.ts'

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
  const found = await whenFree(reading, () =>
    inTransaction(looked, 'DEFERRED', () => faultsIn(looked, only)),
  ).finally(() => looked.close())
  if (dryRun || isNothing(found)) return reportOf(file, found, null)
  const database = await openDatabase(file, settings)
  try {
    return await whenFree({ ...reading, doing: 'writing' }, () =>
      inTransaction(database, 'IMMEDIATE', () => {
        const faults = faultsIn(database, only)
        if (isNothing(faults)) return reportOf(file, faults, null)
        const copy = copyBeside(file)
        for (const one of faults.sessions) cut(database, one)
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
  readonly sessions: readonly WholeEntries[]
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
    const whole = only === null ? unlessLater(database, key) : wholeEntries(database, key)
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
function unlessLater(database: DatabaseSync, key: string): WholeEntries | null {
  try {
    return wholeEntries(database, key)
  } catch (error) {
    const isLater = WorkspaceError.is(error) && LATER.has(error.code)
    if (isLater) return null
    throw error
  }
}

const LATER: ReadonlySet<string> = new Set(['LOG_FORMAT', 'LOG_UNKNOWN_EVENT'])

function isNothing({ sessions, definitions }: Faults): boolean {
  return sessions.length === 0 && definitions.length === 0
}

function reportOf(file: string, faults: Faults, copy: string | null): LogRepair {
  const damages = faults.sessions.flatMap(({ damage }) => damage ?? [])
  return { file, damages, definitions: faults.definitions.length, copy }
}

function cut(database: DatabaseSync, { key, entries, sum }: WholeEntries): void {
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
