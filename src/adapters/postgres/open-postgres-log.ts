import pg from 'pg'
import type { Entry } from '../../engine/event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Durability } from '../../session/log/durability.ts'
import { ownEntries } from '../../session/log/own-entries.ts'
import type { EventLog, SessionSummary } from '../../session/ports.ts'
import type { SnapshotStore } from '../../session/snapshot/snapshot-store.ts'
import { UnwrittenDefinitions } from '../../session/stored/unwritten-definitions.ts'
import { bringToFormat, checkIsThere } from './bring-to-format.ts'
import { onlyRead } from './only-read.ts'
import { channelOf } from './channel.ts'
import { Database } from './database.ts'
import { Listening } from './listening.ts'
import { placeOf } from './place.ts'
import { schemaSteps } from './schema-steps.ts'
import { keyOf } from './session-key.ts'
import { StoredSessions } from './stored-sessions.ts'
import { storedSnapshots } from './stored-snapshots.ts'

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
  checkSchema(schema)
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
  const place = placeOf(config)
  const isOwn = typeof database === 'string'
  const pool = isOwn ? new pg.Pool(config) : database
  const connected = new Database({ pool, isOwn, place, statementTimeoutMs, retryMs, prepare })
  try {
    const quoted = pg.escapeIdentifier(schema)
    const steps = schemaSteps(quoted)
    const target = { name: schema, schema: quoted, steps }
    await (readOnly ? checkIsThere(connected, target) : bringToFormat(connected, target))
    const channel = channelOf(schema)
    const parts = { database: connected, schema: quoted, format: steps.length, durability, channel }
    return new SessionsLog({
      schema,
      durability,
      readOnly,
      stored: new StoredSessions(parts),
      snapshots: storedSnapshots(connected, quoted, readOnly),
      listening: new Listening(connected, channel),
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
  readonly stored: StoredSessions
  readonly snapshots: SnapshotStore
  readonly listening: Listening
  readonly database: Database
}

class SessionsLog implements PostgresLog {
  readonly schema: string
  readonly durability: Durability
  readonly snapshots: SnapshotStore
  readonly #parts: LogParts
  #ended: Promise<void> | undefined
  readonly #unwritten = new UnwrittenDefinitions()
  /** What changes a session is done one after another; sessions do not wait for each other. */
  readonly #last = new Map<string, Promise<unknown>>()

  readonly definitions = this.#unwritten.storeOver((hash) => this.#parts.stored.definition(hash))

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
    const entries = ownEntries(given)
    await this.#inTurn(session, async () => {
      this.#checkWrites()
      const definitions = entries.length === 0 ? [] : this.#unwritten.all()
      await this.#parts.stored.append({ session, expected, entries, definitions, after })
      this.#unwritten.noteWritten(definitions)
    })
  }

  read(session: string, from = 0, last = Infinity): Promise<readonly Entry[]> {
    return this.#parts.stored.read(session, Math.max(0, from), last)
  }

  list(): Promise<readonly SessionSummary[]> {
    return this.#parts.stored.list()
  }

  delete(session: string): Promise<void> {
    return this.#inTurn(session, async () => {
      this.#checkWrites()
      await this.#parts.stored.delete(session)
    })
  }

  follow(session: string, listener: () => void): Promise<() => Promise<void>> {
    return this.#parts.listening.follow(keyOf(session), listener)
  }

  close(): Promise<void> {
    this.#ended ??= this.#endNow()
    return this.#ended
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #endNow(): Promise<void> {
    await Promise.all(this.#last.values())
    await this.#parts.listening.close()
    await this.#parts.database.close()
  }

  #checkWrites(): void {
    if (this.#parts.readOnly) throw onlyRead(this.#parts.database.place)
  }

  async #inTurn(session: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.#last.get(session) ?? Promise.resolve()).then(work)
    const settled = turn.catch(() => undefined)
    this.#last.set(session, settled)
    try {
      await turn
    } finally {
      if (this.#last.get(session) === settled) this.#last.delete(session)
    }
  }
}

/** PostgreSQL cuts longer names without an error, and has no NUL. */
function checkSchema(schema: string): void {
  if (schema !== '' && Buffer.byteLength(schema) <= 63 && !schema.includes('\0')) return
  throw new WorkspaceError('LOG_UNREADABLE', `"${schema}" cannot be the name of a schema.`, {
    facts: { schema },
    hint: 'Give a name of 1 to 63 bytes.',
  })
}
