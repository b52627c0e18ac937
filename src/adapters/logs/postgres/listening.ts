import { setTimeout as delay } from 'node:timers/promises'
import { Followers } from '../../../workspace/log/followers.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { logClosed } from '../../../workspace/log/log-closed.ts'
import type { Channel } from './channel.ts'
import type { Database } from './database.ts'
import { ListeningConnection } from './listening-connection.ts'

/** Pauses between attempts to come back, in milliseconds: the first, and the longest. */
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5_000

/**
 * Hears of sessions that changed, over one connection that is held while anybody follows.
 *
 * A connection that is lost is made anew for as long as anybody does; then all are told, since
 * what was said meanwhile was missed.
 */
export class Listening {
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
    let pause = FIRST_PAUSE_MS
    while (this.#followers.sessions.length > 0 && !this.#database.isClosed) {
      if (this.#connection !== null) return
      try {
        await (this.#connection = this.#connect())
      } catch {
        await delay(pause)
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
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
