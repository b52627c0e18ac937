import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import {
  checkPrune,
  type PruneReport,
  type PruneRequest,
  type SessionPage,
  type SessionSummary,
} from '../../../entries/log.ts'
import {
  type ContentHash,
  type Entry,
  type EventLog,
  WorkspaceError,
} from '../../../entries/index.ts'
import {
  checkedText,
  checkOptions,
  type OptionsOf,
  serialQueue,
  tryOrUndefined,
} from '../../../entries/kit.ts'
import { FollowedSessions } from './followed-sessions.ts'
import { openDatabase } from './open-database.ts'
import { pruneDatabase } from './prune-database.ts'
import { inTransaction, retryWhileBusy } from './retry-while-busy.ts'
import { SessionTables, SnapshotTable } from './session-tables.ts'
import { checkDatabaseFormat, dropReplacedTables, SQLITE_MIGRATIONS } from './sqlite-migrations.ts'
import { copyEntries } from '../copy-entries.ts'
import { DURABILITIES, type Durability } from '../durability.ts'
import { logClosed, logReadOnly } from '../log-location.ts'
import { UnwrittenDefinitions } from '../rows/unwritten-definitions.ts'

export interface SqliteLogOptions {
  /** `full` by default. */
  readonly durability?: Durability
  /** Milliseconds to wait for other connections; 5,000 by default. */
  readonly lockWaitMs?: number
  /** Maximum size of the file in bytes, without its write-ahead log; no limit by default. */
  readonly maxBytes?: number
  /** Interval in milliseconds at which the file is checked for followers; 100 by default. */
  readonly followMs?: number
  /**
   * Open for reading only. The file must exist, and appends and deletions throw `LOG_WRITE_FAILED`.
   * A file of an earlier format is not migrated.
   */
  readonly readOnly?: boolean
}

const OPTIONS: OptionsOf<SqliteLogOptions> = {
  durability: DURABILITIES,
  lockWaitMs: 'number',
  maxBytes: 'number',
  followMs: 'number',
  readOnly: 'switch',
}

/** An event log in a SQLite file. */
export interface SqliteLog extends EventLog {
  readonly file: string
  readonly durability: Durability
  follow(session: string, listener: () => void): Promise<() => Promise<void>>
  /**
   * Closes the file once all earlier operations are done. Using the log afterwards throws
   * `LOG_CLOSED`.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens a log of many sessions in one SQLite file. Several processes may read it and append to it.
 *
 * A file that does not exist is created; its folder is not. An append is one transaction that compares the version
 * where it writes, so exactly one of two concurrent appends succeeds. A definition is written by the next append;
 * without one it is not stored. Definitions stay when a session is deleted, until the log is pruned. Reading takes no
 * lock that a writer waits for. Statements run on this thread: reading a very long session blocks it.
 */
export async function openSqliteLog(
  path: string,
  options: SqliteLogOptions = {},
): Promise<SqliteLog> {
  checkOptions(options, OPTIONS)
  const {
    durability = 'full',
    lockWaitMs = 5000,
    maxBytes = Infinity,
    followMs = 100,
    readOnly = false,
  } = options
  const file = resolve(checkedText(path, 'path'))
  const database = await openDatabase(file, { durability, lockWaitMs, maxBytes, readOnly })
  try {
    return await retryWhileBusy(
      { file, doing: 'reading', waitMs: lockWaitMs },
      () => new DatabaseLog(file, database, { durability, lockWaitMs, followMs, readOnly }),
    )
  } catch (error) {
    database.close()
    throw error
  }
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
  /** The identity of the file and of its write-ahead log when it was opened. While the log is open both exist. */
  readonly #opened: string
  readonly #unwritten = new UnwrittenDefinitions()
  /** The connection runs one operation at a time. */
  readonly #queue = serialQueue()

  readonly definitions = this.#unwritten.storeOver({
    has: (hash) => this.#reading(() => this.#tables.hasDefinition(hash)),
    texts: (hashes) => this.#reading(() => this.#tables.definitions(hashes)),
    write: (definitions) => this.#writing(() => this.#commit(() => this.#tables.keep(definitions))),
  })

  readonly snapshots: Required<EventLog>['snapshots'] = {
    put: (session, snapshot) =>
      this.#writing(() => this.#commit(() => this.#snapshots.put(session, snapshot))),
    latest: (session, format, atMost = Number.MAX_SAFE_INTEGER) =>
      this.#reading(() => this.#snapshots.latest(session, format, atMost)),
  }

  constructor(
    file: string,
    database: DatabaseSync,
    { durability, lockWaitMs, followMs, readOnly }: Omit<Required<SqliteLogOptions>, 'maxBytes'>,
  ) {
    this.file = file
    this.durability = durability
    this.#waitMs = lockWaitMs
    this.#readOnly = readOnly
    this.#database = database
    this.#tables = new SessionTables(file, database)
    this.#snapshots = new SnapshotTable(database)
    this.#followed = new FollowedSessions(database, followMs, () => this.#refresh())
    this.#opened = identityOf(file)
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
      let epoch: unknown
      this.#commit(() => {
        this.#tables.append(session, expected, entries, after)
        if (entries.length > 0) this.#tables.keep(definitions)
        epoch = this.#tables.epoch()
      })
      if (entries.length === 0) return
      this.#unwritten.noteWritten(definitions)
      this.#unwritten.noteEpoch(epoch)
      this.#followed.notifyOwn(session)
    })
  }

  read(session: string, from = 0, last = Number.MAX_SAFE_INTEGER): Promise<readonly Entry[]> {
    return this.#reading(() => this.#tables.read(session, Math.max(0, from), last))
  }

  list(page?: SessionPage): Promise<readonly SessionSummary[]> {
    return this.#reading(() => this.#tables.list(page))
  }

  async prune(request: PruneRequest = {}): Promise<PruneReport> {
    checkPrune(request)
    const transactions = {
      read: <T>(work: () => T) => this.#reading(work),
      write: <T>(work: () => T) => this.#writing(() => this.#commit(work)),
    }
    const report = await pruneDatabase(this.#database, this.#tables, transactions, request)
    if (request.dryRun === true) return report
    await this.#writing(() => {
      this.#unwritten.noteEpoch(this.#tables.epoch())
      // The write-ahead log would keep the deleted texts until its next checkpoint.
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      for (const session of report.sessions) this.#followed.notifyOwn(session)
    })
    return report
  }

  delete(session: string): Promise<void> {
    return this.#writing(() => {
      this.#commit(() => this.#tables.delete(session))
      this.#followed.notifyOwn(session)
    })
  }

  async follow(session: string, listener: () => void): Promise<() => Promise<void>> {
    const stop = await this.#reading(() => this.#followed.follow(session, listener))
    return async () => stop()
  }

  close(): Promise<void> {
    return this.#queue(async () => {
      this.#followed.close()
      if (this.#database.isOpen) this.#database.close()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #reading<T>(work: () => T): Promise<T> {
    const { file } = this
    return this.#queue(() =>
      retryWhileBusy({ file, doing: 'reading', waitMs: this.#waitMs }, () => {
        this.#checkOpen()
        return inTransaction(this.#database, 'DEFERRED', () => {
          checkDatabaseFormat(this.#database, file, SQLITE_MIGRATIONS.length)
          this.#refresh()
          return work()
        })
      }),
    )
  }

  #writing<T>(work: () => T): Promise<T> {
    const { file } = this
    return this.#queue(() =>
      retryWhileBusy({ file, doing: 'writing', waitMs: this.#waitMs }, () => {
        this.#checkOpen()
        if (this.#readOnly) throw logReadOnly({ file })
        return work()
      }),
    )
  }

  #commit<T>(work: () => T): T {
    return inTransaction(this.#database, 'IMMEDIATE', () => {
      checkDatabaseFormat(this.#database, this.file, SQLITE_MIGRATIONS.length)
      const { file } = this
      // A write to a file that has lost its name is lost.
      if (identityOf(file) === this.#opened) return work()
      throw new WorkspaceError(
        'LOG_WRITE_FAILED',
        `${file} or its -wal was moved, deleted or replaced.`,
        {
          facts: { file },
          hint: 'Entries written now would be lost. Close the log and open it again.',
        },
      )
    })
  }

  /** A read-only connection may have opened the file before it had all tables. */
  #refresh(): void {
    if (this.#readOnly) dropReplacedTables(this.#database)
  }

  #checkOpen(): void {
    if (!this.#database.isOpen) throw logClosed({ file: this.file })
  }
}

/** Returns the identity of a file and of its write-ahead log. */
function identityOf(file: string): string {
  const identities = [file, `${file}-wal`].map((name) => {
    // A file that cannot be inspected is not the one that was opened.
    const { dev, ino } = tryOrUndefined(() => statSync(name)) ?? {}
    return `${dev}:${ino}`
  })
  return identities.join(' ')
}
