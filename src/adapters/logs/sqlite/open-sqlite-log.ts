import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { FollowedSessions } from './followed-sessions.ts'
import { openDatabase } from './open-database.ts'
import { inTransaction, retryWhileBusy } from './retry-while-busy.ts'
import { SessionTables, SnapshotTable } from './session-tables.ts'
import { checkDatabaseFormat, SQLITE_MIGRATIONS } from './sqlite-migrations.ts'
import type { Entry } from '../../../engine/model/workspace-event.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import { serialQueue } from '../../../kernel/serial-queue.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import {
  copyEntries,
  type Durability,
  type EventLog,
  type SessionSummary,
  type SnapshotStore,
} from '../../../workspace/log/event-log.ts'
import { logClosed, logReadOnly } from '../../../workspace/log/log-location.ts'
import { UnwrittenDefinitions } from '../../../workspace/log/unwritten-definitions.ts'

export interface SqliteLogOptions {
  /** `full` by default. */
  readonly durability?: Durability
  /** How long other connections are waited for, in milliseconds; 5,000 by default. */
  readonly lockWaitMs?: number
  /** How large the file may grow, in bytes, the write-ahead log beside it not counted; no limit by default. */
  readonly maxBytes?: number
  /** How often the file is looked at for those who follow a session, in milliseconds; 100 by default. */
  readonly followMs?: number
  /**
   * Only look: the file has to be there, appends and deletions throw `LOG_WRITE_FAILED`. A file of an
   * earlier format stays as it is.
   */
  readonly readOnly?: boolean
}

/** An event log in a SQLite file. */
export interface SqliteLog extends EventLog {
  readonly file: string
  readonly durability: Durability
  follow(session: string, listener: () => void): Promise<() => Promise<void>>
  /** Give the file back, after what was begun before. Using the log afterwards throws `LOG_CLOSED`. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Keep many sessions in one SQLite file, which several processes may read and append to.
 *
 * The file is made when it is not there, its folder is not. An append is one transaction that
 * compares the version where it writes, so of two racing ones exactly one is taken. Definitions are
 * written by the append that follows them; those that no append follows are not kept. They stay when
 * a session is deleted. Reading takes no lock that writers wait for. Statements run on this
 * thread: a read of a very long session holds it up.
 */
export async function openSqliteLog(
  path: string,
  {
    durability = 'full',
    lockWaitMs = 5000,
    maxBytes = Infinity,
    followMs = 100,
    readOnly = false,
  }: SqliteLogOptions = {},
): Promise<SqliteLog> {
  const file = resolve(path)
  const database = await openDatabase(file, { durability, lockWaitMs, maxBytes, readOnly })
  try {
    return await retryWhileBusy(
      { file, doing: 'reading', waitMs: lockWaitMs },
      () => new DatabaseLog({ file, database, durability, lockWaitMs, followMs, readOnly }),
    )
  } catch (error) {
    database.close()
    throw error
  }
}

interface LogParts {
  readonly file: string
  readonly database: DatabaseSync
  readonly durability: Durability
  readonly lockWaitMs: number
  readonly followMs: number
  readonly readOnly: boolean
}

class DatabaseLog implements SqliteLog {
  readonly file: string
  readonly durability: Durability
  readonly #waitMs: number
  readonly #readOnly: boolean
  readonly #database: DatabaseSync
  readonly #tables: SessionTables
  readonly #snapshots: SnapshotTable
  readonly #followed: FollowedSessions
  readonly #identity: FileIdentity
  readonly #unwritten = new UnwrittenDefinitions()
  /** What is done on the connection is done one after another. */
  readonly #inTurn = serialQueue()

  readonly definitions = this.#unwritten.storeOver((hash) =>
    this.#reading(() => this.#tables.definition(hash)),
  )

  readonly snapshots: SnapshotStore = {
    put: (session, snapshot) =>
      this.#writing(() => this.#commit(() => this.#snapshots.put(session, snapshot))),
    latest: (session, format, atMost = Number.MAX_SAFE_INTEGER) =>
      this.#reading(() => this.#snapshots.latest(session, format, atMost)),
  }

  constructor({ file, database, durability, lockWaitMs, followMs, readOnly }: LogParts) {
    this.file = file
    this.durability = durability
    this.#waitMs = lockWaitMs
    this.#readOnly = readOnly
    this.#database = database
    this.#tables = new SessionTables(file, database)
    this.#snapshots = new SnapshotTable(database)
    this.#followed = new FollowedSessions(database, followMs)
    this.#identity = new FileIdentity(file)
  }

  async append(
    session: string,
    expected: number,
    given: readonly Entry[],
    after?: ContentHash,
  ): Promise<void> {
    const entries = copyEntries(given)
    await this.#writing(() => {
      const definitions = this.#unwritten.all()
      this.#commit(() => {
        this.#tables.append(session, expected, entries, after)
        if (entries.length > 0) this.#tables.keep(definitions)
      })
      if (entries.length === 0) return
      this.#unwritten.noteWritten(definitions)
      this.#followed.tellOwn(session)
    })
  }

  read(session: string, from = 0, last = Number.MAX_SAFE_INTEGER): Promise<readonly Entry[]> {
    return this.#reading(() => this.#tables.read(session, Math.max(0, from), last))
  }

  list(): Promise<readonly SessionSummary[]> {
    return this.#reading(() => this.#tables.list())
  }

  delete(session: string): Promise<void> {
    return this.#writing(() => {
      this.#commit(() => this.#tables.delete(session))
      this.#followed.tellOwn(session)
    })
  }

  async follow(session: string, listener: () => void): Promise<() => Promise<void>> {
    const stop = await this.#reading(() => this.#followed.follow(session, listener))
    return async () => stop()
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#followed.close()
      if (this.#database.isOpen) this.#database.close()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #reading<T>(work: () => T): Promise<T> {
    const { file } = this
    return this.#inTurn(() =>
      retryWhileBusy({ file, doing: 'reading', waitMs: this.#waitMs }, () => {
        this.#checkOpen()
        return inTransaction(this.#database, 'DEFERRED', () => {
          checkDatabaseFormat(this.#database, file, SQLITE_MIGRATIONS.length)
          return work()
        })
      }),
    )
  }

  #writing(work: () => void): Promise<void> {
    const { file } = this
    return this.#inTurn(() =>
      retryWhileBusy({ file, doing: 'writing', waitMs: this.#waitMs }, () => {
        this.#checkOpen()
        if (this.#readOnly) throw logReadOnly({ file })
        work()
      }),
    )
  }

  #commit(work: () => void): void {
    inTransaction(this.#database, 'IMMEDIATE', () => {
      checkDatabaseFormat(this.#database, this.file, SQLITE_MIGRATIONS.length)
      this.#identity.check()
      work()
    })
  }

  #checkOpen(): void {
    if (!this.#database.isOpen) throw logClosed({ file: this.file })
  }
}

/**
 * Which file has a log's name, and which its write-ahead log's: while the one is open the other is
 * there, and what is written to either without its name is lost.
 */
class FileIdentity {
  readonly #file: string
  readonly #opened: string

  /** Of the files that have the names now. */
  constructor(file: string) {
    this.#file = file
    this.#opened = identityOf(file)
  }

  /** Throws `LOG_WRITE_FAILED` when others have the names. */
  check(): void {
    if (identityOf(this.#file) !== this.#opened) throw replaced(this.#file)
  }
}

function identityOf(file: string): string {
  return [file, `${file}-wal`].map(identityOfOne).join(' ')
}

/** What cannot even be looked at is not the file that was opened. */
function identityOfOne(name: string): string {
  try {
    const { dev, ino } = statSync(name)
    return `${dev}:${ino}`
  } catch {
    return 'none'
  }
}

function replaced(file: string): WorkspaceError {
  return new WorkspaceError(
    'LOG_WRITE_FAILED',
    `${file} or its -wal was moved, deleted or replaced.`,
    {
      facts: { file },
      hint: 'What is written to a file without its name is lost. Close the log and open it anew.',
    },
  )
}
