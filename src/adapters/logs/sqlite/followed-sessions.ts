import type { DatabaseSync, StatementSync } from 'node:sqlite'

interface Followed {
  /** What the end of the session was when its followers were told last; undefined without one. */
  mark: unknown
  readonly listeners: Set<() => void>
}

/**
 * Tells of sessions that changed. SQLite tells no other process, so while anybody follows, the
 * counter that it keeps of other connections' commits is looked at every so often, which costs some
 * microseconds.
 */
export class FollowedSessions {
  readonly #everyMs: number
  readonly #counter: StatementSync
  readonly #end: StatementSync
  readonly #followed = new Map<string, Followed>()
  #seen: unknown
  #timer: NodeJS.Timeout | undefined

  constructor(database: DatabaseSync, everyMs: number) {
    this.#everyMs = everyMs
    this.#counter = database.prepare('PRAGMA data_version')
    this.#end = database.prepare('SELECT last_sum FROM session WHERE name = ?')
  }

  /** Gives back what ends it. */
  follow(session: string, listener: () => void): () => void {
    const told = () => listener()
    const one = this.#followed.get(session) ?? {
      mark: this.#markOf(session),
      listeners: new Set<() => void>(),
    }
    if (this.#timer === undefined) {
      this.#seen = this.#count()
      this.#timer = setInterval(() => this.#look(), this.#everyMs)
    }
    this.#followed.set(session, one)
    one.listeners.add(told)
    return () => {
      one.listeners.delete(told)
      if (one.listeners.size === 0 && this.#followed.get(session) === one) {
        this.#followed.delete(session)
      }
      if (this.#followed.size === 0) this.close()
    }
  }

  /**
   * Tell of a session that this connection changed, which its own counter does not count. What was
   * committed has succeeded, whatever becomes of the telling: it is looked at again then.
   */
  tellOwn(session: string): void {
    try {
      this.#tell(session)
    } catch {
      this.#seen = undefined
    }
  }

  /**
   * Tell of one session, when it is another than it was. What a listener does is not part of what is under
   * way here.
   */
  #tell(session: string): void {
    const one = this.#followed.get(session)
    if (one === undefined) return
    const mark = this.#markOf(session)
    if (mark === one.mark) return
    one.mark = mark
    for (const listener of one.listeners) {
      queueMicrotask(() => {
        if (one.listeners.has(listener)) listener()
      })
    }
  }

  close(): void {
    this.#followed.clear()
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** A database that is busy, or has something wrong with it, is looked at again the next time. */
  #look(): void {
    try {
      const count = this.#count()
      if (count === this.#seen) return
      for (const session of this.#followed.keys()) this.#tell(session)
      this.#seen = count
    } catch {
      return
    }
  }

  #count(): unknown {
    return this.#counter.get()?.['data_version']
  }

  #markOf(session: string): unknown {
    return this.#end.get(JSON.stringify(session))?.['last_sum']
  }
}
