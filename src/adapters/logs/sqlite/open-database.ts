import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type * as Sqlite from 'node:sqlite'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { inTransaction, retryWhileBusy } from './retry-while-busy.ts'
import {
  checkDatabaseFormat,
  migrateDatabase,
  SQLITE_MIGRATIONS,
  TEMPORARY_TABLES,
} from './sqlite-migrations.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import type { Durability } from '../../../workspace/log/event-log.ts'

/** How a database is opened. */
interface DatabaseOptions {
  readonly durability: Durability
  readonly maxBytes: number
  readonly lockWaitMs: number
  /** Change nothing: the file has to be there. */
  readonly readOnly?: boolean
}

/**
 * With a write-ahead log, `NORMAL` hands a commit to the system and `FULL` forces it to the disk.
 * `fullfsync` is what that takes on macOS; elsewhere it does nothing.
 */
const SYNCHRONOUS: Readonly<Record<Durability, string>> = {
  os: 'PRAGMA synchronous = NORMAL',
  full: 'PRAGMA synchronous = FULL; PRAGMA fullfsync = ON',
}

/**
 * Do not trust what a file brings along, look at pages before using them, and leave nothing of
 * deleted sessions in the file.
 */
const HARDENING =
  'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON'

/**
 * Open a file as a database of the latest format; a new file gets its tables. The file of another
 * program is refused before anything about it changes. To be only read, a file of an earlier format stays
 * of that.
 */
export async function openDatabase(file: string, options: DatabaseOptions): Promise<DatabaseSync> {
  checkIsFile(file, options.readOnly === true)
  const { DatabaseSync } = loadSqlite()
  const attempt = { file, doing: 'reading', waitMs: options.lockWaitMs } as const
  const readOnly = options.readOnly === true
  const database = await retryWhileBusy(attempt, () =>
    readOnly && isReadOnlyFolder(file)
      ? new DatabaseSync(new URL('?immutable=1', pathToFileURL(file)), { readOnly })
      : new DatabaseSync(file),
  )
  try {
    const format = await retryWhileBusy(attempt, () => {
      const found = inTransaction(database, 'DEFERRED', () =>
        checkDatabaseFormat(database, file, SQLITE_MIGRATIONS.length),
      )
      database.exec(`${HARDENING}; ${SYNCHRONOUS[options.durability]}`)
      return found
    })
    if (readOnly) {
      database.exec(['PRAGMA temp_store = MEMORY', ...TEMPORARY_TABLES.slice(format)].join(';'))
      database.exec('PRAGMA query_only = ON')
      return database
    }
    await retryWhileBusy({ ...attempt, doing: 'writing' }, () => {
      useWriteAheadLog(database, file)
      migrateDatabase(database, file, SQLITE_MIGRATIONS)
      limitSize(database, options.maxBytes)
    })
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLite says of a folder only that it cannot be opened, and reads whatever a device gives. */
function checkIsFile(file: string, mustExist: boolean): void {
  let stats: Stats | undefined
  try {
    stats = statSync(file, { throwIfNoEntry: false })
  } catch {
    // What cannot even be looked at is for SQLite to refuse.
    return
  }
  if (stats === undefined && mustExist) {
    throw new WorkspaceError('LOG_UNREADABLE', `There is no log at ${file}.`, {
      facts: { file, reason: 'ENOENT' },
      hint: 'Check the name of the file.',
    })
  }
  if (stats === undefined || stats.isFile()) return
  throw new WorkspaceError('LOG_UNREADABLE', `${file} is not a regular file.`, {
    facts: { file },
    hint: 'Name a file for the log; folders, pipes and devices cannot hold one.',
  })
}

/**
 * Whether nobody can change a file where it is: then it can be read without the two files that SQLite
 * wants beside it. One that was left with its write-ahead log needs that, too.
 */
function isReadOnlyFolder(file: string): boolean {
  try {
    accessSync(dirname(file), constants.W_OK)
    return false
  } catch {
    return !existsSync(`${file}-wal`)
  }
}

function useWriteAheadLog(database: DatabaseSync, file: string): void {
  const row = database.prepare('PRAGMA journal_mode = WAL').get()
  const mode = row?.['journal_mode']
  if (mode === 'wal') return
  throw new WorkspaceError('LOG_WRITE_FAILED', `${file} cannot have a write-ahead log.`, {
    facts: { file, mode },
    hint: 'Processes share memory through a file beside it: name a file on a local disk.',
  })
}

/** A limit below what the file takes already leaves it as large as it is. */
function limitSize(database: DatabaseSync, maxBytes: number): void {
  if (maxBytes === Number.POSITIVE_INFINITY) return
  const pageSize = Number(database.prepare('PRAGMA page_size').get()?.['page_size'])
  database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pageSize))}`)
}

/**
 * Node's own SQLite, loaded at first use.
 *
 * Node 22 says on stderr, once, that it is experimental. What is used of it has been the same in
 * every version this package promises, and a user of a log can do nothing about it, so that one
 * warning is left out; loading is synchronous, so no other warning can come in between.
 */
export function loadSqlite(): typeof Sqlite {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    const sqlite = process.getBuiltinModule('node:sqlite') as typeof Sqlite | undefined
    if (sqlite) return sqlite
  } finally {
    process.emitWarning = emitWarning
  }
  throw new WorkspaceError('LOG_UNREADABLE', 'This Node has no SQLite.', {
    facts: { node: process.version },
    hint: 'Start Node without --no-experimental-sqlite, or use another log.',
  })
}
