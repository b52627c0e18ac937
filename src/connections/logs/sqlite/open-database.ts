import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type * as Sqlite from 'node:sqlite'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { WorkspaceError } from '../../../entries/index.ts'
import { inTransaction, retryWhileBusy } from './retry-while-busy.ts'
import {
  checkDatabaseFormat,
  migrateDatabase,
  SQLITE_MIGRATIONS,
  TEMPORARY_TABLES,
} from './sqlite-migrations.ts'
import type { Durability } from '../durability.ts'

/** Options for opening a database. */
interface DatabaseOptions {
  readonly durability: Durability
  readonly maxBytes: number
  readonly lockWaitMs: number
  /** Change nothing. The file must exist. */
  readonly readOnly?: boolean
}

/**
 * With a write-ahead log, `NORMAL` leaves a commit to the operating system, and `FULL` forces it to
 * the disk. `fullfsync` does that on macOS and nothing elsewhere.
 */
const SYNCHRONOUS: Readonly<Record<Durability, string>> = {
  os: 'PRAGMA synchronous = NORMAL',
  full: 'PRAGMA synchronous = FULL; PRAGMA fullfsync = ON',
}

/**
 * Do not trust the schema of a file, check pages before using them, and leave nothing of deleted
 * sessions in the file.
 */
const HARDENING =
  'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON'

/**
 * Opens a file as a database of the latest format and creates the tables of a new file.
 *
 * Refuses the file of another program before changing anything. With `readOnly`, a file of an
 * earlier format is not migrated.
 */
export async function openDatabase(file: string, options: DatabaseOptions): Promise<DatabaseSync> {
  const { readOnly = false } = options
  checkIsFile(file, readOnly)
  const { DatabaseSync } = loadSqlite()
  const attempt = { file, doing: 'reading', waitMs: options.lockWaitMs } as const
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
      if (options.maxBytes === Number.POSITIVE_INFINITY) return
      // A file that is larger already keeps its size.
      const pageSize = Number(database.prepare('PRAGMA page_size').get()?.['page_size'])
      const pages = Math.max(1, Math.floor(options.maxBytes / pageSize))
      database.exec(`PRAGMA max_page_count = ${pages}`)
    })
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Refuses folders and devices: SQLite reports a folder only as one it cannot open, and reads from
 * any device.
 */
export function checkIsFile(file: string, mustExist: boolean): void {
  let stats: Stats | undefined
  try {
    stats = statSync(file, { throwIfNoEntry: false })
  } catch {
    // SQLite reports why this file cannot be opened.
    return
  }
  if (stats === undefined && mustExist) {
    throw new WorkspaceError('LOG_UNREADABLE', `There is no log at ${file}.`, {
      facts: { file, reason: 'ENOENT' },
      hint: 'Check the name of the file.',
    })
  }
  if (stats === undefined) {
    createPrivate(file)
    return
  }
  if (stats.isFile()) return
  throw new WorkspaceError('LOG_UNREADABLE', `${file} is not a regular file.`, {
    facts: { file },
    hint: 'Give a regular file: a log cannot be a folder, a pipe or a device.',
  })
}

/**
 * Creates an empty file that only the user may read: sessions have what people wrote. SQLite gives its mode to the files
 * next to it.
 */
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch (cause) {
    // SQLite reports why this file cannot be opened. Node's permission model does not hold for it.
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_ACCESS_DENIED') return
    throw new WorkspaceError('LOG_UNREADABLE', `${file} cannot be created: ${String(cause)}`, {
      facts: { file, reason: 'ERR_ACCESS_DENIED' },
      hint: 'Allow this process to write there.',
      cause,
    })
  }
}

/**
 * Returns true when this process cannot write to the folder of a file. Such a file can be read
 * without the two files that SQLite creates next to it, unless a write-ahead log was left there.
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
    hint: 'Processes share memory through a file next to it, which needs a local disk. Give a file on one.',
  })
}

/**
 * Loads the SQLite of Node at first use.
 *
 * Node 22 warns once on stderr that it is experimental. The functions used here have been the same
 * in every supported version, and a user cannot act on the warning, so it is suppressed. Loading is
 * synchronous: no other warning can be lost.
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
  throw new WorkspaceError('LOG_UNREADABLE', 'This runtime has no SQLite.', {
    facts: { node: process.version },
    hint: 'Start Node without --no-experimental-sqlite, or use another log.',
  })
}
