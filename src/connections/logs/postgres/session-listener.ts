import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { Followers } from '../../../entries/log.ts'
import { WorkspaceError } from '../../../entries/index.ts'
import { textHash } from '../../../entries/kit.ts'
import type { Database } from './database.ts'
import { logClosed } from '../log-location.ts'

/**
 * The notification channel of a schema, and the locks that show appends if anybody follows.
 *
 * Transactions that notify commit one after another across the whole server. So an append notifies
 * only when somebody may listen: followers hold a shared lock of their sessions' bucket, and an
 * append that gets the exclusive lock knows that nobody follows. A follower that starts at that
 * moment waits for the lock until that append can be read.
 */
export interface Channel {
  readonly name: string
  /** First number of the advisory locks; the second is the bucket. */
  readonly lock: number
}

export function channelOf(schema: string): Channel {
  const digits = textHash(schema).slice('sha256:'.length)
  return { name: `loadout_${digits.slice(0, 16)}`, lock: Number.parseInt(digits.slice(16, 23), 16) }
}

/**
 * Returns the bucket of a session key, one of 256: a server has room for some thousands of locks.
 */
export function lockBucket(key: string): number {
  return Number.parseInt(key.slice(0, 2), 16)
}

/** Pauses between attempts to reconnect, in milliseconds: the first and the longest. */
const FIRST_BACKOFF_MS = 50

const MAX_BACKOFF_MS = 5_000

/**
 * Listens for changes of sessions, over one connection that is kept while anybody follows.
 *
 * A lost connection is made again as long as anybody follows. Then all followers are notified,
 * because notifications may have been missed.
 */
export class SessionListener {
  readonly #database: Database
  readonly #channel: Channel
  /** Listeners, by session key. */
  readonly #followers = new Followers()
  #connection: Promise<ListeningConnection> | null = null
  /** Notifications may have been missed since the last connection was lost. */
  #hasMissed = false
  #isClosed = false

  constructor(database: Database, channel: Channel) {
    this.#database = database
    this.#channel = channel
  }

  /**
   * Follows a session. Resolves once no later notification can be missed. Throws `LOG_UNREACHABLE`,
   * and `LOG_NOT_FOLLOWED` where the listening connection would leave none for anything else.
   */
  async follow(key: string, listener: () => void): Promise<() => Promise<void>> {
    const { place } = this.#database
    if (this.#database.maxConnections < 2) {
      const message = `The pool for ${place} has only one connection.`
      throw new WorkspaceError('LOG_NOT_FOLLOWED', message, {
        facts: { place },
        hint: 'Following a session needs a connection of its own. Give a pool of two or more.',
      })
    }
    const leave = this.#followers.follow(key, listener)
    const stop = async () => {
      leave()
      const { sessions } = this.#followers
      if (sessions.length === 0) await this.#drop()
      else await this.#connection?.then((one) => one.keep(sessions)).catch(() => undefined)
    }
    try {
      for (;;) {
        if (this.#isClosed) throw logClosed({ place })
        const connection = await (this.#connection ??= this.#connect())
        if (await connection.watch([key])) return stop
      }
    } catch (error) {
      await stop()
      throw error
    }
  }

  /** Closes the listener. A pending `follow` throws `LOG_CLOSED`. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#drop()
  }

  /** Stops following all sessions and ends the connection. */
  async #drop(): Promise<void> {
    this.#followers.clear()
    this.#hasMissed = false
    const connection = this.#connection
    this.#connection = null
    await connection?.then(
      (one) => one.end(),
      () => undefined,
    )
  }

  #connect(): Promise<ListeningConnection> {
    const parts = {
      database: this.#database,
      channel: this.#channel,
      onChange: (key: string) => this.#followers.notify(key),
      onLost: () => {
        if (this.#connection !== connecting) return
        this.#connection = null
        this.#hasMissed = true
        void this.#reconnect()
      },
    }
    const connecting = ListeningConnection.open(parts, this.#followers.sessions)
    connecting.then(
      () => {
        if (!this.#hasMissed) return
        this.#hasMissed = false
        for (const key of this.#followers.sessions) this.#followers.notify(key)
      },
      () => {
        if (this.#connection === connecting) this.#connection = null
      },
    )
    return connecting
  }

  async #reconnect(): Promise<void> {
    let pause = FIRST_BACKOFF_MS
    while (this.#followers.sessions.length > 0 && !this.#database.isClosed) {
      if (this.#connection !== null) return
      try {
        await (this.#connection = this.#connect())
      } catch {
        await delay(pause)
        pause = Math.min(pause * 2, MAX_BACKOFF_MS)
      }
    }
  }
}

/** Interval in milliseconds at which a quiet connection is checked. */
const CHECK_MS = 15_000

interface ConnectionParts {
  readonly database: Database
  readonly channel: Channel
  /** Called with the key of a session that changed. */
  onChange(key: string): void
  /** Called when the connection is lost after it was opened. `onChange` is not called any more. */
  onLost(): void
}

/** A connection that listens, and holds the locks that show appends that somebody follows. */
class ListeningConnection {
  readonly #parts: ConnectionParts
  readonly #client: pg.PoolClient
  /**
   * Ends the connection. It still listens and holds its locks, so it cannot go back to the pool.
   */
  readonly #release: () => void
  readonly #buckets = new Set<number>()
  readonly #timer: NodeJS.Timeout
  /** The last queued statement: a connection runs one at a time. */
  #last: Promise<unknown>
  #isOpen = false
  #isOver = false

  /**
   * Opens the connection. Resolves once no later notification about these sessions can be missed.
   */
  static open(parts: ConnectionParts, keys: readonly string[]): Promise<ListeningConnection> {
    return parts.database.hold(async (client, release) => {
      await parts.database.queryOn(client, `LISTEN "${parts.channel.name}"`)
      const connection = new ListeningConnection(parts, client, release)
      // A connection that is lost this early is retried like any other statement.
      if (!(await connection.watch(keys))) throw new Error('Connection terminated unexpectedly')
      connection.#isOpen = true
      return connection
    })
  }

  private constructor(parts: ConnectionParts, client: pg.PoolClient, release: () => void) {
    this.#parts = parts
    this.#client = client
    this.#release = release
    this.#last = Promise.resolve()
    this.#timer = setInterval(() => void this.#run('SELECT 1'), CHECK_MS)
    this.#timer.unref()
    client
      .on('notification', this.#onNotification)
      .on('error', this.#onLost)
      .on('end', this.#onLost)
  }

  /** Starts listening for these sessions, too; returns false when the connection was lost. */
  async watch(keys: readonly string[]): Promise<boolean> {
    for (const bucket of new Set(keys.map(lockBucket))) {
      if (this.#buckets.has(bucket)) continue
      this.#buckets.add(bucket)
      void this.#lock('pg_advisory_lock_shared', bucket)
    }
    await this.#last
    return !this.#isOver
  }

  /** Stops listening for all sessions except these. */
  async keep(keys: readonly string[]): Promise<void> {
    const kept = new Set(keys.map(lockBucket))
    for (const bucket of this.#buckets) {
      if (kept.has(bucket)) continue
      this.#buckets.delete(bucket)
      void this.#lock('pg_advisory_unlock_shared', bucket)
    }
    await this.#last
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#timer)
    this.#client.off('notification', this.#onNotification).off('end', this.#onLost)
    this.#release()
  }

  readonly #onNotification = ({ payload = '' }: pg.Notification) => this.#parts.onChange(payload)

  readonly #onLost = () => {
    if (this.#isOver) return
    this.end()
    if (this.#isOpen) this.#parts.onLost()
  }

  #lock(what: string, bucket: number): Promise<unknown> {
    return this.#run(`SELECT ${what}($1, $2)`, [this.#parts.channel.lock, bucket])
  }

  /** Never rejects: if a statement fails, the connection counts as lost. */
  #run(text: string, values: readonly unknown[] = []): Promise<unknown> {
    this.#last = this.#last.then(async () => {
      if (this.#isOver) return
      await this.#parts.database.queryOn(this.#client, text, values).catch(this.#onLost)
    })
    return this.#last
  }
}
