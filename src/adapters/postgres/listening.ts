import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { Followers } from '../../session/followers.ts'
import type { Database } from './database.ts'

/** How often a quiet connection is asked whether it is there still, in milliseconds. */
const CHECK_MS = 15_000
/** Pauses between attempts to come back, in milliseconds: the first, and the longest. */
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5_000

interface Connection {
  readonly client: pg.PoolClient
  end(): void
}

/**
 * Hears of sessions that changed, over one connection that is held while anybody follows.
 *
 * A connection that is lost is made anew for as long as anybody does; then all are told, since
 * what was said meanwhile was missed.
 */
export class Listening {
  readonly #database: Database
  readonly #channel: string
  /** By the keys of their sessions. */
  readonly #followers = new Followers()
  #connection: Promise<Connection> | null = null

  constructor(database: Database, channel: string) {
    this.#database = database
    this.#channel = channel
  }

  /** Resolves when nothing said from now on is missed. Throws `LOG_UNREACHABLE`. */
  async follow(key: string, listener: () => void): Promise<() => Promise<void>> {
    const leave = this.#followers.follow(key, listener)
    const stop = async () => {
      leave()
      if (this.#followers.sessions.length === 0) await this.close()
    }
    try {
      this.#connection ??= this.#connect()
      await this.#connection
      return stop
    } catch (error) {
      await stop()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#followers.clear()
    const connection = this.#connection
    this.#connection = null
    await connection?.then(
      ({ end }) => end(),
      () => undefined,
    )
  }

  #connect(): Promise<Connection> {
    const connecting = this.#database.hold(async (client) => {
      await this.#database.queryOn(client, `LISTEN "${this.#channel}"`)
      return this.#hear(client, () => {
        if (this.#connection !== connecting) return
        this.#connection = null
        void this.#comeBack()
      })
    })
    connecting.catch(() => {
      if (this.#connection === connecting) this.#connection = null
    })
    return connecting
  }

  /** Take up what a connection says, until it is ended here or lost. */
  #hear(client: pg.PoolClient, onLost: () => void): Connection {
    const hear = ({ payload = '' }: pg.Notification) => this.#followers.tell(payload)
    let over = false
    const end = (lost: boolean) => {
      if (over) return
      over = true
      clearInterval(timer)
      client.off('notification', hear).off('end', lose)
      // It listens on, so nobody else can use it.
      client.release(true)
      if (lost) onLost()
    }
    const lose = () => end(true)
    const timer = setInterval(
      () => this.#database.queryOn(client, 'SELECT 1').catch(lose),
      CHECK_MS,
    )
    timer.unref()
    client.on('notification', hear).on('error', lose).on('end', lose)
    return { client, end: () => end(false) }
  }

  async #comeBack(): Promise<void> {
    let pause = FIRST_PAUSE_MS
    while (
      this.#followers.sessions.length > 0 &&
      !this.#database.isClosed &&
      this.#connection === null
    ) {
      try {
        await (this.#connection = this.#connect())
        for (const key of this.#followers.sessions) this.#followers.tell(key)
      } catch {
        await delay(pause)
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      }
    }
  }
}
