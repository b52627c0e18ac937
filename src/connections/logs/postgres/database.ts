import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { textHash } from '../../../entries/kit.ts'
import { mayPass, type Operation, postgresFailure, unreachableError } from './postgres-failure.ts'
import { logClosed } from '../log-location.ts'

/** Pauses between attempts, in milliseconds: the first and the longest. */
const FIRST_BACKOFF_MS = 20

const MAX_BACKOFF_MS = 1_000

/**
 * Extra time, in milliseconds, for the server to report its own time limit before the connection is
 * closed.
 */
const GRACE_MS = 2_000

export type Row = Readonly<Record<string, unknown>>

interface DatabaseParts {
  readonly pool: pg.Pool
  /** True when the pool was created for this log. */
  readonly ownsPool: boolean
  readonly place: string
  readonly statementTimeoutMs: number
  readonly retryMs: number
  readonly prepare: boolean
}

/** A server behind a pool. Each statement is retried while the server cannot be reached. */
export class Database {
  readonly place: string
  readonly #parts: DatabaseParts
  /** Names of prepared statements, by their text. */
  readonly #names = new Map<string, string>()
  /** Removes the listener that ignores errors of idle connections. */
  readonly #stopIgnoring: () => void
  #losses = 0
  #closed = false

  constructor(parts: DatabaseParts) {
    this.#parts = parts
    this.place = parts.place
    this.#stopIgnoring = ignorePoolErrors(parts.pool)
  }

  /** Number of statements that were lost on their way so far; each was sent again or failed. */
  get losses(): number {
    return this.#losses
  }

  /** Maximum number of connections. */
  get maxConnections(): number {
    return this.#parts.pool.options.max
  }

  /** Also true when the owner of the pool has ended it. */
  get isClosed(): boolean {
    return this.#closed || this.#parts.pool.ending
  }

  /**
   * Runs one statement and returns its rows.
   *
   * The statement is sent again when its connection was lost, even if the server may have run it
   * already, so it must be safe to repeat. Throws `LOG_UNREACHABLE` after `retryMs`; its fact
   * `sent` says if the server may have run it.
   */
  query(doing: Operation, text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return this.withClient(doing, (client) => this.queryOn(client, text, values))
  }

  /** Runs work on one connection, with the same retries. */
  withClient<T>(doing: Operation, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#retry(doing, (client) => useAndRelease(client, work))
  }

  /**
   * Like `withClient`, but keeps the connection after the work is done. The caller calls `end`,
   * which may be called twice.
   */
  hold<T>(work: (client: pg.PoolClient, end: () => void) => Promise<T>): Promise<T> {
    return this.#retry('reading', async (client) => {
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

  async #retry<T>(doing: Operation, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const { place, retryMs } = this.#parts
    const deadline = performance.now() + retryMs
    let sent = false
    for (let pause = FIRST_BACKOFF_MS; ; pause = Math.min(pause * 2, MAX_BACKOFF_MS)) {
      if (this.isClosed) throw logClosed({ place })
      try {
        const client = await connectClient(this.#parts.pool, ignore)
        sent = true
        return await work(client)
      } catch (error) {
        if (!mayPass(error)) throw postgresFailure(place, doing, error)
        this.#losses += 1
        if (performance.now() >= deadline) throw unreachableError(place, error, { retryMs, sent })
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
    const query = { text, values: [...values], types: COLUMN_TYPES, query_timeout }
    // Statements with parameters are prepared once per connection: planning an append takes longer than running it. A
    // name belongs to one text, whichever log of the process uses the connection.
    const isPrepared = this.#parts.prepare && values.length > 0
    const name = this.#names.get(text) ?? `loadout_${textHash(text).slice(7, 39)}`
    if (isPrepared) this.#names.set(text, name)
    const named = isPrepared ? { ...query, name } : query
    const { rows } = await client.query<Record<string, unknown>>(named)
    return rows
  }

  /**
   * Closes the pool if this log created it. An ending connection can still be lost, so errors of
   * its pool stay ignored.
   */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const { pool, ownsPool } = this.#parts
    if (ownsPool) await pool.end()
    else this.#stopIgnoring()
  }
}

function ignore(): void {}

/** Releases the connection afterwards. One on which an error occurred is not used again. */
async function useAndRelease<T>(
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

/**
 * Connects with a listener for errors from the first moment: if the server ends the connection
 * right after it is made, an unhandled error would end the process.
 */
function connectClient(pool: pg.Pool, onError: (error: Error) => void): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client === undefined) return void reject(error ?? new Error('Connection terminated'))
      client.on('error', onError)
      resolve(client)
    })
  })
}

/** Number of logs that use a pool; they share one listener. */
const users = new WeakMap<pg.Pool, number>()

/**
 * Ignores errors that a pool reports for idle connections: the next use gets another connection.
 * Returns the function that stops it.
 */
function ignorePoolErrors(pool: pg.Pool): () => void {
  const count = users.get(pool) ?? 0
  if (count === 0) pool.on('error', ignore)
  users.set(pool, count + 1)
  return () => {
    const left = (users.get(pool) ?? 1) - 1
    users.set(pool, left)
    if (left === 0) pool.off('error', ignore)
  }
}

const BOOLEAN = 16

const INTEGER = 23

const DOUBLE = 701

/** Parsers for columns, independent of those that the host sets for a process or pool of `pg`. */
export const COLUMN_TYPES: pg.CustomTypesConfig = {
  getTypeParser(type: number) {
    if (type === BOOLEAN) return (text: string) => text === 't'
    return type === INTEGER || type === DOUBLE ? Number : String
  },
}
