import pg from 'pg'
import { Database } from './database.ts'
import { checkSchemaExists, migrateSchema, postgresMigrations } from './postgres-migrations.ts'
import { channelOf, SessionListener } from './session-listener.ts'
import { SessionHeads, sessionKey, SessionReader } from './session-reader.ts'
import { SessionWriter } from './session-writer.ts'
import { statements, type Statements } from './statements.ts'
import type { Entry } from '../../../engine/model/workspace-event.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import {
  copyEntries,
  type Durability,
  type EventLog,
  type SessionSummary,
  type SnapshotStore,
} from '../../../workspace/log/event-log.ts'
import { logReadOnly } from '../../../workspace/log/log-location.ts'
import { UnwrittenDefinitions } from '../../../workspace/log/unwritten-definitions.ts'

export interface PostgresLogOptions {
  /** The schema its tables are in, `loadout` by default; made when it is not there. */
  readonly schema?: string
  /**
   * `full` by default: an acknowledged append is on the server's disk. With `os` it survives the end
   * of this process, and the server's only some tenths of a second later.
   */
  readonly durability?: Durability
  /** Connections at once, one more while sessions are followed; 10 by default. A pool has its own limit. */
  readonly maxConnections?: number
  /** How long one statement may take, in milliseconds; 30,000 by default. */
  readonly statementTimeoutMs?: number
  /** How long a server that cannot be reached is tried again, in milliseconds; 10,000 by default. */
  readonly retryMs?: number
  /**
   * Prepare statements, true by default. A pooler in transaction mode may not know of them: say false
   * there.
   */
  readonly prepare?: boolean
  /** Only look: the tables have to be there; appends and deletions throw `LOG_WRITE_FAILED`. */
  readonly readOnly?: boolean
}

/** An event log in a PostgreSQL database. */
export interface PostgresLog extends EventLog {
  readonly schema: string
  readonly durability: Durability
  follow(session: string, listener: () => void): Promise<() => Promise<void>>
  readonly snapshots: SnapshotStore
  /**
   * End its connections, after what was begun before; a pool that was given stays open. Using the
   * log afterwards throws `LOG_CLOSED`.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** How long one attempt to connect may take, in milliseconds. */
const CONNECT_MS = 5_000

/**
 * Keep many sessions in a PostgreSQL database, which many machines may read, append to and follow.
 *
 * An append is one statement that compares the version where it writes, so of two racing ones
 * exactly one is taken. Where the answer to it is lost with the connection, it is sent again, and
 * taken once. Definitions are written by the append that follows them; those that no append
 * follows are not kept. They stay when a session is deleted.
 *
 * @param database an address such as `postgres://user:password@host:5432/database`, or a pool of `pg`
 */
export async function openPostgresLog(
  database: string | pg.Pool,
  {
    schema = 'loadout',
    durability = 'full',
    maxConnections = 10,
    statementTimeoutMs = 30_000,
    retryMs = 10_000,
    prepare = true,
    readOnly = false,
  }: PostgresLogOptions = {},
): Promise<PostgresLog> {
  checkSchemaName(schema)
  const config =
    typeof database === 'string'
      ? {
          connectionString: database,
          max: maxConnections + 1,
          statement_timeout: statementTimeoutMs,
          connectionTimeoutMillis: CONNECT_MS,
          keepAlive: true,
          application_name: 'loadout',
        }
      : database.options
  const place = displayAddress(config)
  const isOwn = typeof database === 'string'
  const pool = isOwn ? new pg.Pool(config) : database
  const connected = new Database({ pool, isOwn, place, statementTimeoutMs, retryMs, prepare })
  try {
    const quoted = pg.escapeIdentifier(schema)
    const steps = postgresMigrations(quoted)
    const target = { name: schema, schema: quoted, steps }
    await (readOnly ? checkSchemaExists(connected, target) : migrateSchema(connected, target))
    const channel = channelOf(schema)
    const shared = {
      database: connected,
      sql: statements(quoted),
      heads: new SessionHeads(),
      format: steps.length,
    }
    const reader = new SessionReader(shared)
    return new SessionsLog({
      schema,
      durability,
      readOnly,
      reader,
      writer: new SessionWriter({ ...shared, reader, durability, channel }),
      snapshots: storedSnapshots(connected, shared.sql, readOnly),
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
  readonly snapshots: SnapshotStore
  readonly listening: SessionListener
  readonly database: Database
}

class SessionsLog implements PostgresLog {
  readonly schema: string
  readonly durability: Durability
  readonly snapshots: SnapshotStore
  readonly #parts: LogParts
  #ended: Promise<void> | undefined
  readonly #unwritten = new UnwrittenDefinitions()
  readonly #turns = new SessionQueues()

  readonly definitions = this.#unwritten.storeOver((hash) => this.#parts.reader.definition(hash))

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
    await this.#turns.run(session, async () => {
      this.#checkWrites()
      const definitions = entries.length === 0 ? [] : this.#unwritten.all()
      await this.#parts.writer.append({ session, expected, entries, definitions, after })
      this.#unwritten.noteWritten(definitions)
    })
  }

  read(session: string, from = 0, last = Infinity): Promise<readonly Entry[]> {
    return this.#parts.reader.read(session, Math.max(0, from), last)
  }

  list(): Promise<readonly SessionSummary[]> {
    return this.#parts.reader.list()
  }

  delete(session: string): Promise<void> {
    return this.#turns.run(session, async () => {
      this.#checkWrites()
      await this.#parts.writer.delete(session)
    })
  }

  follow(session: string, listener: () => void): Promise<() => Promise<void>> {
    return this.#parts.listening.follow(sessionKey(session), listener)
  }

  close(): Promise<void> {
    this.#ended ??= this.#endNow()
    return this.#ended
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #endNow(): Promise<void> {
    await this.#turns.settle()
    await this.#parts.listening.close()
    await this.#parts.database.close()
  }

  #checkWrites(): void {
    if (this.#parts.readOnly) throw logReadOnly({ place: this.#parts.database.place })
  }
}

/** PostgreSQL cuts longer names without an error, and has no NUL. Throws `LOG_UNREADABLE`. */
function checkSchemaName(schema: string): void {
  if (schema !== '' && Buffer.byteLength(schema) <= 63 && !schema.includes('\0')) return
  throw new WorkspaceError('LOG_UNREADABLE', `"${schema}" cannot be the name of a schema.`, {
    facts: { schema },
    hint: 'Give a name of 1 to 63 bytes.',
  })
}

/**
 * Where a database is, for people: `host:port/database`, without user and password. Throws
 * `LOG_UNREADABLE` for what is no address, without repeating it.
 */
function displayAddress(config: pg.PoolConfig): string {
  try {
    const { host, port, database } = new pg.Client(config)
    return `${host}:${port}/${database ?? ''}`
  } catch {
    throw new WorkspaceError('LOG_UNREADABLE', 'The address of the database cannot be read.', {
      hint: 'Give one like postgres://user:password@host:5432/database, or a pool.',
    })
  }
}

/** What changes a session is done one after another; sessions do not wait for each other. */
class SessionQueues {
  readonly #last = new Map<string, Promise<unknown>>()

  async run(session: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.#last.get(session) ?? Promise.resolve()).then(work)
    const settled = turn.catch(() => undefined)
    this.#last.set(session, settled)
    try {
      await turn
    } finally {
      if (this.#last.get(session) === settled) this.#last.delete(session)
    }
  }

  /** Resolves when all that was begun so far is done, whatever became of it. */
  async settle(): Promise<void> {
    await Promise.all(this.#last.values())
  }
}

/** The largest number that the column takes. */
const MAX_SNAPSHOT_SEQ = 2 ** 31 - 1

/**
 * Snapshots in the tables of a log; they go with their session. Texts are kept as JSON, since
 * PostgreSQL has no NUL.
 */
function storedSnapshots(
  database: Database,
  { putSnapshot, latestSnapshot }: Statements,
  readOnly: boolean,
): SnapshotStore {
  return {
    async put(session, { seq, format, text }) {
      if (readOnly) throw logReadOnly({ place: database.place })
      const values = [sessionKey(session), format, seq, JSON.stringify(text)]
      await database.query('writing', putSnapshot, values)
    },
    async latest(session, format, atMost = MAX_SNAPSHOT_SEQ) {
      const values = [sessionKey(session), format, Math.min(atMost, MAX_SNAPSHOT_SEQ)]
      const [row] = await database.query('reading', latestSnapshot, values)
      const { seq, text } = row ?? {}
      if (typeof seq !== 'number' || typeof text !== 'string') return undefined
      return { seq, format, text: JSON.parse(text) as string }
    },
  }
}
