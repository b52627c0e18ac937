import type pg from 'pg'
import { bucketOf, type Channel } from './channel.ts'
import type { Database } from './database.ts'

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
export class ListeningConnection {
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
    for (const bucket of new Set(keys.map(bucketOf))) {
      if (this.#buckets.has(bucket)) continue
      this.#buckets.add(bucket)
      void this.#lock('pg_advisory_lock_shared', bucket)
    }
    await this.#last
    return !this.#isOver
  }

  /** Be told of no others than these. */
  async keep(keys: readonly string[]): Promise<void> {
    const kept = new Set(keys.map(bucketOf))
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
