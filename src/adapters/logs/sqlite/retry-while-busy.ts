import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { damagedSession } from '../../../workspace/log/log-damage.ts'

/** Longest pause between two attempts, in milliseconds. */
const MAX_PAUSE_MS = 10

/** What is attempted, and on what. */
interface Attempt {
  readonly file: string
  readonly doing: Operation
  /** How long other connections are waited for, in milliseconds. */
  readonly waitMs: number
}

/**
 * Do some work on a database, again and again while another connection is at it.
 *
 * SQLite's own waiting would hold up the whole process, so the pauses are here. The work is all
 * or none: an attempt that found the database busy has left nothing. Throws `LOG_LOCKED` after
 * `waitMs`, and errors of SQLite as ours.
 */
export async function retryWhileBusy<T>(
  { file, doing, waitMs }: Attempt,
  work: () => T,
): Promise<T> {
  const deadline = performance.now() + waitMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw sqliteFailure(file, doing, error)
      if (performance.now() > deadline) throw locked(file, waitMs, error)
    }
    await delay(Math.random() * Math.min(attempt, MAX_PAUSE_MS))
  }
}

function locked(file: string, waitMs: number, cause: unknown): WorkspaceError {
  return new WorkspaceError('LOG_LOCKED', `${file} was locked for ${waitMs} ms.`, {
    facts: { file, waitMs },
    hint: 'Another process is writing to it. Try again, or wait longer with `lockWaitMs`.',
    cause,
  })
}

/**
 * Do some work in a transaction: all of it is there afterwards, or none.
 *
 * `DEFERRED` reads one state of the database throughout; `IMMEDIATE` keeps other writers out from
 * its beginning, so that what the work reads is what it changes.
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
    // A full disk has rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** What was going on when SQLite failed. */
type Operation = 'reading' | 'writing'

/** Primary result codes, as SQLite numbers them, that are the state of a file and not a fault of ours. */
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
  SQLITE_FULL: 'The disk, or what the file may take, is full: free some space.',
  SQLITE_CANTOPEN:
    'Make its folder first; this process must be able to write there, also to read: beside the file are two of its kind.',
  SQLITE_TOOBIG: 'An entry is larger than SQLite takes: keep large values elsewhere.',
}

/** A lock held by another connection; a shared one; a race for one. */
const BUSY: ReadonlySet<number> = new Set([5, 6, 15])

/** A damaged page; rows the schema rules out; a statement that does not fit the tables. */
const DAMAGE: ReadonlySet<number> = new Set([1, 11, 19, 20])

const NOT_A_DATABASE = 26

/** SQLite's primary result code, undefined when the error is not SQLite's. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

/** Whether it may work in a moment: another connection is at it. */
function isBusy(error: unknown): boolean {
  return BUSY.has(resultCode(error) ?? -1)
}

/** What damage makes SQLite or Node say; null for everything else. */
export function damageReason(error: unknown): string | null {
  const code = resultCode(error)
  if (error instanceof Error && code !== undefined && DAMAGE.has(code)) return error.message
  // An integer that none of ours can be.
  return error instanceof RangeError ? 'a number in it is out of range' : null
}

/** Put an error of SQLite into ours; any other is given back as it is. */
function sqliteFailure(file: string, doing: Operation, error: unknown): unknown {
  const reason = damageReason(error)
  if (reason !== null) {
    const keptIn = { file }
    return damagedSession({ keptIn, reason, session: null, lastGoodSeq: null, cause: error })
  }
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

/** The error for a file that is something else. */
export function notALog(file: string, cause?: unknown): WorkspaceError {
  return new WorkspaceError('LOG_FORMAT', `${file} is not a Loadout log.`, {
    facts: { file },
    hint: 'It is no SQLite database, or that of another program. Check the name of the file.',
    cause,
  })
}
