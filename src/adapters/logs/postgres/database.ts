import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { textHash } from '../../../kernel/content-hash.ts'
import { logClosed } from '../../../workspace/log/log-closed.ts'
import { OWN_TYPES } from './own-types.ts'
import {
  isInTheWay,
  isUnreachable,
  postgresFailure,
  unreachable,
  type Doing,
} from './postgres-failure.ts'
import { takenFrom } from './taken-from.ts'
import { withoutErrors } from './without-errors.ts'

/** Pauses between attempts, in milliseconds: the first, and the longest. */
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 1_000
/** What the server's own limit gets to tell of itself before a connection is given up. */
const GRACE_MS = 2_000

export type Row = Readonly<Record<string, unknown>>

interface DatabaseParts {
  readonly pool: pg.Pool
  /** Made for this log alone. */
  readonly isOwn: boolean
  readonly place: string
  readonly statementTimeoutMs: number
  readonly retryMs: number
  readonly prepare: boolean
}

/** A server behind a pool: each statement is tried again while it cannot be reached. */
export class Database {
  readonly place: string
  readonly #parts: DatabaseParts
  /** Of statements, by their text. */
  readonly #names = new Map<string, string>()
  /** Ends the patience with connections that are lost while they idle. */
  readonly #stopTolerating: () => void
  #losses = 0
  #closed = false

  constructor(parts: DatabaseParts) {
    this.#parts = parts
    this.place = parts.place
    this.#stopTolerating = withoutErrors(parts.pool)
  }

  /** How many statements were lost on their way so far, each of which was sent again or given up. */
  get losses(): number {
    return this.#losses
  }

  /** Connections at once. */
  get room(): number {
    return this.#parts.pool.options.max
  }

  /** A pool that was given may be ended by its owner. */
  get isClosed(): boolean {
    return this.#closed || this.#parts.pool.ending
  }

  /**
   * Run one statement, and give its rows. It is sent again when its connection was lost, also after
   * it may have been carried out, so it has to be one that may be. Throws `LOG_UNREACHABLE` after
   * `retryMs`; its fact `sent` says whether the server may have carried it out.
   */
  query(doing: Doing, text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return this.withClient(doing, (client) => this.queryOn(client, text, values))
  }

  /** Do some work on one connection, by the same rules. */
  withClient<T>(doing: Doing, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#tried(doing, (client) => worked(client, work))
  }

  /**
   * The same on a connection that stays in use when the work is done: it has to be ended then, which may
   * be done twice.
   */
  hold<T>(work: (client: pg.PoolClient, end: () => void) => Promise<T>): Promise<T> {
    return this.#tried('reading', async (client) => {
      let isOver = false
      const end = () => {
        if (!isOver) client.release(true)
        isOver = true
      }
      return work(client, end).catch((error: unknown) => {
        end()
        throw error
      })
    })
  }

  async #tried<T>(doing: Doing, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const { place, retryMs } = this.#parts
    const deadline = performance.now() + retryMs
    let sent = false
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      this.#checkOpen()
      try {
        const client = await takenFrom(this.#parts.pool, ignore)
        sent = true
        return await work(client)
      } catch (error) {
        const again = isUnreachable(error) || isInTheWay(error)
        if (!again) throw postgresFailure(place, doing, error)
        this.#losses += 1
        if (performance.now() >= deadline) throw unreachable(place, error, { retryMs, sent })
      }
      await delay(pause * (0.5 + Math.random() / 2))
    }
  }

  async queryOn(
    client: pg.PoolClient,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    const query_timeout = this.#parts.statementTimeoutMs + GRACE_MS
    const types = OWN_TYPES
    const query = { text, values: [...values], types, query_timeout, ...this.#named(text, values) }
    const { rows } = await client.query<Record<string, unknown>>(query)
    return rows
  }

  /**
   * Statements with parameters are prepared once for each connection: planning an append takes longer
   * than making it. A name is that of one text, whichever log of the process uses the connection.
   */
  #named(text: string, values: readonly unknown[]): { readonly name?: string } {
    if (!this.#parts.prepare || values.length === 0) return {}
    const name = this.#names.get(text) ?? `loadout_${textHash(text).slice(7, 39)}`
    this.#names.set(text, name)
    return { name }
  }

  /** The pool stays open when it is the host's. Connections that are ending can still be lost. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const { pool, isOwn } = this.#parts
    if (isOwn) await pool.end()
    else this.#stopTolerating()
  }

  #checkOpen(): void {
    if (this.isClosed) throw logClosed({ place: this.place })
  }
}

function ignore(): void {}

/** A connection that something went wrong on is not used again. */
async function worked<T>(
  client: pg.PoolClient,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  let fault: Error | undefined
  try {
    return await work(client)
  } catch (error) {
    fault = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.off('error', ignore)
    client.release(fault)
  }
}
