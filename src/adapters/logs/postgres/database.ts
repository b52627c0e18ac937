import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import {
  isSerializationFailure,
  isUnreachable,
  type Operation,
  postgresFailure,
  unreachableError,
} from './postgres-failure.ts'
import { textHash } from '../../../kernel/content-hash.ts'
import { logClosed } from '../../../workspace/log/log-location.ts'

/** Pauses between attempts, in milliseconds: the first, and the longest. */
const FIRST_BACKOFF_MS = 20

const MAX_BACKOFF_MS = 1_000

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
    this.#stopTolerating = ignorePoolErrors(parts.pool)
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
  query(doing: Operation, text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return this.withClient(doing, (client) => this.queryOn(client, text, values))
  }

  /** Do some work on one connection, by the same rules. */
  withClient<T>(doing: Operation, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#tried(doing, (client) => useAndRelease(client, work))
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

  async #tried<T>(doing: Operation, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const { place, retryMs } = this.#parts
    const deadline = performance.now() + retryMs
    let sent = false
    for (let pause = FIRST_BACKOFF_MS; ; pause = Math.min(pause * 2, MAX_BACKOFF_MS)) {
      this.#checkOpen()
      try {
        const client = await connectClient(this.#parts.pool, ignore)
        sent = true
        return await work(client)
      } catch (error) {
        const again = isUnreachable(error) || isSerializationFailure(error)
        if (!again) throw postgresFailure(place, doing, error)
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
    const types = COLUMN_TYPES
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
 * A connection of a pool, with a listener for its errors from the first moment on: one that is ended by
 * the server in the same breath in which it was made would end the process otherwise.
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

/** Logs that use a pool; one listener is there for all of them. */
const users = new WeakMap<pg.Pool, number>()

/**
 * Connections that idle are lost, too, and their pool tells of it: the next one is another. Gives back
 * what ends it.
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

/**
 * How columns become values, whatever the host has its own statements give: parsers of `pg` are often set
 * for a whole process or pool.
 */
export const COLUMN_TYPES: pg.CustomTypesConfig = {
  getTypeParser(type: number) {
    if (type === BOOLEAN) return (text: string) => text === 't'
    return type === INTEGER || type === DOUBLE ? Number : String
  },
}
