import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { WorkspaceError } from '../../../entries/index.ts'
import { damagedSession } from '../log-damage.ts'

/** Longest pause between two attempts, in milliseconds. */
const MAX_PAUSE_MS = 10

/**
 * Runs work on a database, and retries it while another connection has the lock.
 *
 * SQLite's own waiting would block the process, so the pauses are here. The work must be atomic: an
 * attempt that finds the database busy leaves no change. Throws `LOG_LOCKED` after `waitMs`, and
 * translates errors of SQLite.
 */
export async function retryWhileBusy<T>(
  attempted: { readonly file: string; readonly doing: Operation; readonly waitMs: number },
  work: () => T,
): Promise<T> {
  const { file, doing, waitMs } = attempted
  const deadline = performance.now() + waitMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work()
    } catch (error) {
      if (!BUSY.has(resultCode(error) ?? -1)) throw sqliteFailure(file, doing, error)
      if (performance.now() > deadline) {
        throw new WorkspaceError('LOG_LOCKED', `${file} was locked for ${waitMs} ms.`, {
          facts: { file, waitMs },
          hint: 'Another process is writing to it. Try again, or raise `lockWaitMs`.',
          cause: error,
        })
      }
    }
    await delay(Math.random() * Math.min(attempt, MAX_PAUSE_MS))
  }
}

/**
 * Runs work in a transaction, and rolls back if it throws.
 *
 * `DEFERRED` reads one state of the database throughout. `IMMEDIATE` excludes other writers from
 * the start, so nothing changes between what the work reads and what it writes.
 */
export function inTransaction<T>(
  database: DatabaseSync,
  kind: 'DEFERRED' | 'IMMEDIATE',
  work: () => T,
): T {
  database.exec(`BEGIN ${kind}`)
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // After a full disk, SQLite has rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** The operation during which SQLite failed. */
type Operation = 'reading' | 'writing'

/** Primary result codes of SQLite that report the state of a file or disk, not a bug. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [3, 'SQLITE_PERM'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [18, 'SQLITE_TOOBIG'],
  [22, 'SQLITE_NOLFS'],
  [23, 'SQLITE_AUTH'],
])

const HINTS: Readonly<Record<string, string>> = {
  SQLITE_READONLY: 'Check the permissions of the file and its folder.',
  SQLITE_PERM: 'Check the permissions of the file and its folder.',
  SQLITE_FULL: 'The disk is full, or the file has reached its maximum size. Free some space.',
  SQLITE_CANTOPEN:
    'Create its folder first. This process must be able to write there, even to read: SQLite keeps two more files next to it.',
  SQLITE_TOOBIG: 'An entry is larger than SQLite allows. Store large values elsewhere.',
}

/** Another connection has a lock, has a table of the shared cache, or took the lock first. */
const BUSY: ReadonlySet<number> = new Set([5, 6, 15])

/** A damaged page, rows that the schema forbids, or a statement that does not match the tables. */
const DAMAGE: ReadonlySet<number> = new Set([1, 11, 19, 20])

const NOT_A_DATABASE = 26

/** Returns SQLite's primary result code, or undefined when the error is not SQLite's. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

/** Returns the message of an error that damage causes, or null for any other error. */
export function damageReason(error: unknown): string | null {
  const code = resultCode(error)
  if (error instanceof Error && code !== undefined && DAMAGE.has(code)) return error.message
  // No number that this log writes is out of range.
  return error instanceof RangeError ? 'a number in it is out of range' : null
}

/** Translates an error of SQLite into a `WorkspaceError`; returns any other error unchanged. */
function sqliteFailure(file: string, doing: Operation, error: unknown): unknown {
  const reason = damageReason(error)
  if (reason !== null) return damagedSession({ file }, reason, null, null, error)
  const code = resultCode(error)
  if (code === NOT_A_DATABASE) return notALog(file, error)
  const name = code === undefined ? undefined : NAMES.get(code)
  if (name === undefined) return error
  const [kind, verb] =
    doing === 'reading' ? ['LOG_UNREADABLE', 'read'] : ['LOG_WRITE_FAILED', 'written']
  return new WorkspaceError(kind, `${file} cannot be ${verb}: ${name}.`, {
    facts: { file, reason: name },
    hint: HINTS[name] ?? 'Check the file and the disk.',
    cause: error,
  })
}

/** The error for a file that is not a Loadout log. */
export function notALog(file: string, cause?: unknown): WorkspaceError {
  return new WorkspaceError('LOG_FORMAT', `${file} is not a Loadout log.`, {
    facts: { file },
    hint: 'It is not a SQLite database, or it belongs to another program. Check the name of the file.',
    cause,
  })
}
