import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from './database.ts'
import { textHash } from '../../../kernel/content-hash.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { Followers } from '../../../workspace/log/event-log.ts'
import { logClosed } from '../../../workspace/log/log-location.ts'

/**
 * Where a schema's followers are told, and how appends know that there are any.
 *
 * Transactions that notify commit one after another, over the whole server. So an append tells only
 * where somebody may listen: followers hold a shared lock of their sessions' bucket, and an append that
 * gets the lock for itself knows that nobody does. A follower that comes meanwhile waits for the
 * lock until that append can be read.
 */
export interface Channel {
  readonly name: string
  /** First number of the advisory locks; the second is a bucket. */
  readonly lock: number
}

export function channelOf(schema: string): Channel {
  const digits = textHash(schema).slice('sha256:'.length)
  return { name: `loadout_${digits.slice(0, 16)}`, lock: Number.parseInt(digits.slice(16, 23), 16) }
}

/** One of 256, by the key of a session: a server has room for some thousands of locks. */
export function lockBucket(key: string): number {
  return Number.parseInt(key.slice(0, 2), 16)
}

/** Pauses between attempts to come back, in milliseconds: the first, and the longest. */
const FIRST_BACKOFF_MS = 50

const MAX_BACKOFF_MS = 5_000

/**
 * Hears of sessions that changed, over one connection that is held while anybody follows.
 *
 * A connection that is lost is made anew for as long as anybody does; then all are told, since
 * what was said meanwhile was missed.
 */
export class SessionListener {
  readonly #database: Database
  readonly #channel: Channel
  /** By the keys of their sessions. */
  readonly #followers = new Followers()
  #connection: Promise<ListeningConnection> | null = null
  /** Something may have been said since the last connection was lost. */
  #hasMissed = false
  #isClosed = false

  constructor(database: Database, channel: Channel) {
    this.#database = database
    this.#channel = channel
  }

  /**
   * Resolves when nothing said from now on is missed. Throws `LOG_UNREACHABLE`, and `LOG_NOT_FOLLOWED`
   * where the one connection that listens would leave none for anything else.
   */
  async follow(key: string, listener: () => void): Promise<() => Promise<void>> {
    if (this.#database.room < 2) throw noRoom(this.#database.place)
    const leave = this.#followers.follow(key, listener)
    const stop = async () => {
      leave()
      const { sessions } = this.#followers
      if (sessions.length === 0) await this.#drop()
      else await this.#connection?.then((one) => one.keep(sessions)).catch(() => undefined)
    }
    try {
      for (;;) {
        if (this.#isClosed) throw logClosed({ place: this.#database.place })
        const connection = await (this.#connection ??= this.#connect())
        if (await connection.watch([key])) return stop
      }
    } catch (error) {
      await stop()
      throw error
    }
  }

  /** Also those who are about to follow do not: they get `LOG_CLOSED`. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#drop()
  }

  /** Nobody follows any more. */
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
      onTold: (key: string) => this.#followers.tell(key),
      onLost: () => {
        if (this.#connection !== connecting) return
        this.#connection = null
        this.#hasMissed = true
        void this.#comeBack()
      },
    }
    const connecting = ListeningConnection.open(parts, this.#followers.sessions)
    connecting.then(
      () => this.#tellMissed(),
      () => {
        if (this.#connection === connecting) this.#connection = null
      },
    )
    return connecting
  }

  /** Whoever made the new connection: all who followed over the one that was lost are told. */
  #tellMissed(): void {
    if (!this.#hasMissed) return
    this.#hasMissed = false
    for (const key of this.#followers.sessions) this.#followers.tell(key)
  }

  async #comeBack(): Promise<void> {
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

function noRoom(place: string): WorkspaceError {
  return new WorkspaceError('LOG_NOT_FOLLOWED', `The pool for ${place} has one connection only.`, {
    facts: { place },
    hint: 'Following takes one of its own: give a pool with room for two or more.',
  })
}

/** How often a quiet connection is asked whether it is there still, in milliseconds. */
const CHECK_MS = 15_000

interface ConnectionParts {
  readonly database: Database
  readonly channel: Channel
  /** Told of a session that changed, by its key. */
  onTold(key: string): void
  /** It was lost after it was opened; nothing is told any more. */
  onLost(): void
}

/** One connection that listens, and holds the locks by which appends know of it. */
class ListeningConnection {
  readonly #parts: ConnectionParts
  readonly #client: pg.PoolClient
  /** Nobody else can use it afterwards: it listens on and holds its locks. */
  readonly #release: () => void
  readonly #buckets = new Set<number>()
  readonly #timer: NodeJS.Timeout
  /** A connection does one thing after another. */
  #last: Promise<unknown>
  #isOpen = false
  #isOver = false

  /** Resolves when nothing is missed that is said from now on of the sessions with these keys. */
  static open(parts: ConnectionParts, keys: readonly string[]): Promise<ListeningConnection> {
    return parts.database.hold(async (client, release) => {
      await parts.database.queryOn(client, `LISTEN "${parts.channel.name}"`)
      const connection = new ListeningConnection(parts, client, release)
      // Lost that early it is tried again, as every other statement is.
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
    this.#timer = setInterval(() => void this.#do('SELECT 1'), CHECK_MS)
    this.#timer.unref()
    client.on('notification', this.#hear).on('error', this.#lose).on('end', this.#lose)
  }

  /** Be told of these, too; false when the connection was lost. */
  async watch(keys: readonly string[]): Promise<boolean> {
    for (const bucket of new Set(keys.map(lockBucket))) {
      if (this.#buckets.has(bucket)) continue
      this.#buckets.add(bucket)
      void this.#lock('pg_advisory_lock_shared', bucket)
    }
    await this.#last
    return !this.#isOver
  }

  /** Be told of no others than these. */
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
    this.#client.off('notification', this.#hear).off('end', this.#lose)
    this.#release()
  }

  readonly #hear = ({ payload = '' }: pg.Notification) => this.#parts.onTold(payload)

  readonly #lose = () => {
    if (this.#isOver) return
    this.end()
    if (this.#isOpen) this.#parts.onLost()
  }

  #lock(what: string, bucket: number): Promise<unknown> {
    return this.#do(`SELECT ${what}($1, $2)`, [this.#parts.channel.lock, bucket])
  }

  /** Never rejects: a connection on which something fails is lost. */
  #do(text: string, values: readonly unknown[] = []): Promise<unknown> {
    this.#last = this.#last.then(async () => {
      if (this.#isOver) return
      await this.#parts.database.queryOn(this.#client, text, values).catch(this.#lose)
    })
    return this.#last
  }
}
