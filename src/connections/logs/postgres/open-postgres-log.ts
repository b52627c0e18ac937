import pg from 'pg'
import {
  checkPrune,
  type LoadedSession,
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
import { checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import { Database } from './database.ts'
import { checkSchemaExists, migrateSchema, postgresMigrations } from './postgres-migrations.ts'
import { channelOf, SessionListener } from './session-listener.ts'
import {
  type LogTables,
  SessionHeads,
  sessionKey,
  SessionReader,
  snapshotInRow,
} from './session-reader.ts'
import { SessionWriter } from './session-writer.ts'
import { MAX_SEQ, statements, type Statements } from './statements.ts'
import { KeyedQueue } from '../../../kernel/serial-queue.ts'
import { copyEntries } from '../copy-entries.ts'
import { DURABILITIES, type Durability } from '../durability.ts'
import { logReadOnly } from '../log-location.ts'
import { UnwrittenDefinitions } from '../rows/unwritten-definitions.ts'

export interface PostgresLogOptions {
  /** The schema of its tables, `loadout` by default; created if it does not exist. */
  readonly schema?: string
  /**
   * `full` by default: an acknowledged append is on the server's disk. With `os` it survives the
   * end of this process, but a crash of the server may lose the last tenths of a second.
   */
  readonly durability?: Durability
  /**
   * Prepare statements, true by default. Give false for a pooler in transaction mode, which may not
   * support them.
   */
  readonly prepare?: boolean
  /**
   * Open for reading only. The tables must exist, and appends and deletions throw
   * `LOG_WRITE_FAILED`.
   */
  readonly readOnly?: boolean
}

const OPTIONS: OptionsOf<PostgresLogOptions> = {
  schema: 'text',
  durability: DURABILITIES,
  prepare: 'switch',
  readOnly: 'switch',
}

/** An event log in a PostgreSQL database. */
export interface PostgresLog extends EventLog {
  readonly schema: string
  readonly durability: Durability
  follow(session: string, listener: () => void): Promise<() => Promise<void>>
  readonly snapshots: Required<EventLog>['snapshots']
  /**
   * Ends its connections once all earlier operations are done; a pool that was given stays open.
   * Using the log afterwards throws `LOG_CLOSED`.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Time limit of one attempt to connect, in milliseconds. */
const CONNECT_MS = 5_000

/** Time limit of one statement, in milliseconds, unless the given pool has one. */
const STATEMENT_TIMEOUT_MS = 30_000

/** Connections at once, and one while sessions are followed. A given pool has its own limit. */
const MAX_CONNECTIONS = 10

/** Milliseconds to retry while the server cannot be reached. */
const RETRY_MS = 10_000

/**
 * Opens a log of many sessions in a PostgreSQL database, which many machines may read, append to
 * and follow.
 *
 * An append is one statement that compares the version where it writes, so exactly one of two
 * concurrent appends succeeds. When the answer is lost with the connection, the append is sent
 * again and still applied only once. A definition is written by the next append; without one it is
 * not stored. Definitions stay when a session is deleted, until the log is pruned.
 *
 * @param database an address such as `postgres://user:password@host:5432/database`, or a pool of
 * `pg`
 */
export async function openPostgresLog(
  database: string | pg.Pool,
  options: PostgresLogOptions = {},
): Promise<PostgresLog> {
  checkOptions(options, OPTIONS)
  return openSessionsLog(database, options, RETRY_MS)
}

/** Opens what `openPostgresLog` opens. Nothing that is given is checked. */
export async function openSessionsLog(
  database: string | pg.Pool,
  options: PostgresLogOptions,
  retryMs: number,
): Promise<PostgresLog> {
  const { schema = 'loadout', durability = 'full', prepare = true, readOnly = false } = options
  // PostgreSQL would cut longer names silently, and does not allow a NUL.
  if (schema === '' || Buffer.byteLength(schema) > 63 || schema.includes('\0')) {
    throw new WorkspaceError('LOG_UNREADABLE', `"${schema}" cannot be the name of a schema.`, {
      facts: { schema },
      hint: 'Give a name of 1 to 63 bytes.',
    })
  }
  const config =
    typeof database === 'string'
      ? {
          connectionString: database,
          max: MAX_CONNECTIONS + 1,
          statement_timeout: STATEMENT_TIMEOUT_MS,
          connectionTimeoutMillis: CONNECT_MS,
          keepAlive: true,
          application_name: 'loadout',
        }
      : database.options
  const place = displayAddress(config)
  const ownsPool = typeof database === 'string'
  const pool = ownsPool ? new pg.Pool(config) : database
  const statementTimeoutMs = config.statement_timeout || STATEMENT_TIMEOUT_MS
  const connected = new Database({ pool, ownsPool, place, statementTimeoutMs, retryMs, prepare })
  try {
    const quoted = pg.escapeIdentifier(schema)
    const steps = postgresMigrations(quoted)
    const target = { name: schema, schema: quoted, steps }
    await (readOnly ? checkSchemaExists(connected, target) : migrateSchema(connected, target))
    const channel = channelOf(schema)
    const tables: LogTables = {
      database: connected,
      sql: statements(quoted),
      heads: new SessionHeads(),
      format: steps.length,
    }
    const reader = new SessionReader(tables)
    return new SessionsLog({
      schema,
      durability,
      readOnly,
      reader,
      writer: new SessionWriter(tables, reader, durability, channel),
      snapshots: storedSnapshots(connected, tables.sql, readOnly),
      listening: new SessionListener(connected, channel),
      database: connected,
    })
  } catch (error) {
    await connected.close()
    throw error
  }
}

interface LogParts {
  readonly schema: string
  readonly durability: Durability
  readonly readOnly: boolean
  readonly reader: SessionReader
  readonly writer: SessionWriter
  readonly snapshots: PostgresLog['snapshots']
  readonly listening: SessionListener
  readonly database: Database
}

class SessionsLog implements PostgresLog {
  readonly schema: string
  readonly durability: Durability
  readonly snapshots: PostgresLog['snapshots']
  readonly #parts: LogParts
  #closing: Promise<void> | undefined
  readonly #unwritten = new UnwrittenDefinitions()
  readonly #queue = new KeyedQueue()

  readonly definitions = this.#unwritten.storeOver({
    has: (hash) => this.#parts.reader.hasDefinition(hash),
    texts: (hashes) => this.#parts.reader.definitions(hashes),
    write: (definitions) => this.#parts.writer.keep(definitions),
  })

  constructor(parts: LogParts) {
    this.schema = parts.schema
    this.durability = parts.durability
    this.snapshots = parts.snapshots
    this.#parts = parts
  }

  async append(
    session: string,
    expected: number,
    given: readonly Entry[],
    after?: ContentHash,
  ): Promise<void> {
    const entries = copyEntries(given)
    await this.#queue.run(session, async () => {
      this.#checkWrites()
      const definitions = entries.length === 0 ? [] : this.#unwritten.all()
      await this.#parts.writer.append({ session, expected, entries, definitions, after })
      this.#unwritten.noteWritten(definitions)
      this.#unwritten.noteEpoch(this.#parts.writer.epoch)
    })
  }

  async read(session: string, from = 0, last = Infinity): Promise<readonly Entry[]> {
    return (await this.#parts.reader.read(session, Math.max(0, from), last)).entries
  }

  load(session: string, format: string): Promise<LoadedSession> {
    return this.#parts.reader.read(session, 0, Infinity, format)
  }

  list(page?: SessionPage): Promise<readonly SessionSummary[]> {
    return this.#parts.reader.list(page)
  }

  async prune(request: PruneRequest = {}): Promise<PruneReport> {
    checkPrune(request)
    const { changedBefore = -1e300, dryRun = false } = request
    this.#checkWrites()
    const report = await this.#parts.writer.prune(changedBefore, dryRun)
    this.#unwritten.noteEpoch(this.#parts.writer.epoch)
    return report
  }

  delete(session: string): Promise<void> {
    return this.#queue.run(session, async () => {
      this.#checkWrites()
      await this.#parts.writer.delete(session)
    })
  }

  follow(session: string, listener: () => void): Promise<() => Promise<void>> {
    return this.#parts.listening.follow(sessionKey(session), listener)
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#queue.settle().then(async () => {
      await this.#parts.listening.close()
      await this.#parts.database.close()
    }))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #checkWrites(): void {
    if (this.#parts.readOnly) throw logReadOnly({ place: this.#parts.database.place })
  }
}

/**
 * Returns the address of a database for people: `host:port/database`, without user and password.
 * Throws `LOG_UNREADABLE`, without repeating the address, when it cannot be parsed.
 */
function displayAddress(config: pg.PoolConfig): string {
  try {
    const { host, port, database } = new pg.Client(config)
    return `${host}:${port}/${database ?? ''}`
  } catch {
    throw new WorkspaceError('LOG_UNREADABLE', 'The address of the database cannot be read.', {
      hint: 'Give an address like postgres://user:password@host:5432/database, or a pool.',
    })
  }
}

/**
 * Stores snapshots in the tables of a log; they are deleted with their session. Texts are stored as
 * JSON, since PostgreSQL does not allow NUL.
 */
function storedSnapshots(
  database: Database,
  { putSnapshot, latestSnapshot }: Statements,
  readOnly: boolean,
): PostgresLog['snapshots'] {
  return {
    async put(session, { seq, format, text }) {
      if (readOnly) throw logReadOnly({ place: database.place })
      const values = [sessionKey(session), format, seq, JSON.stringify(text)]
      await database.query('writing', putSnapshot, values)
    },
    async latest(session, format, atMost = MAX_SEQ) {
      const values = [sessionKey(session), format, Math.min(atMost, MAX_SEQ)]
      const [row] = await database.query('reading', latestSnapshot, values)
      return snapshotInRow(row, format)
    },
  }
}
