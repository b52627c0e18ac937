import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * Notifies followers of sessions that changed.
 *
 * SQLite does not notify other processes. While anybody follows, its counter of commits by other
 * connections is polled, which takes a few microseconds.
 */
export class FollowedSessions {
  readonly #everyMs: number
  readonly #counter: StatementSync
  readonly #end: StatementSync
  /**
   * By session; `mark` is the checksum of its last entry when its followers were last notified, undefined for a session
   * without entries.
   */
  readonly #followed = new Map<string, { mark: unknown; readonly listeners: Set<() => void> }>()
  readonly #refresh: () => void
  #seen: unknown
  #timer: NodeJS.Timeout | undefined

  /** @param refresh called after other connections committed, before the sessions are read */
  constructor(database: DatabaseSync, everyMs: number, refresh: () => void) {
    this.#everyMs = everyMs
    this.#refresh = refresh
    this.#counter = database.prepare('PRAGMA data_version')
    this.#end = database.prepare('SELECT last_sum FROM session WHERE name = ?')
  }

  /** Starts following a session; returns the function that stops it. */
  follow(session: string, listener: () => void): () => void {
    const notify = () => listener()
    const entry = this.#followed.get(session) ?? {
      mark: this.#markOf(session),
      listeners: new Set<() => void>(),
    }
    if (this.#timer === undefined) {
      this.#seen = this.#count()
      this.#timer = setInterval(() => this.#poll(), this.#everyMs)
    }
    this.#followed.set(session, entry)
    entry.listeners.add(notify)
    return () => {
      entry.listeners.delete(notify)
      if (entry.listeners.size === 0 && this.#followed.get(session) === entry) {
        this.#followed.delete(session)
      }
      if (this.#followed.size === 0) this.close()
    }
  }

  /**
   * Notifies the followers of a session that this connection changed, since the counter does not
   * count its own commits. The commit has succeeded even if this fails: the next poll checks again.
   */
  notifyOwn(session: string): void {
    try {
      this.#notify(session)
    } catch {
      this.#seen = undefined
    }
  }

  /**
   * Notifies the followers of a session if it has changed. Each listener runs in a microtask of its
   * own, so that what it throws does not reach the caller.
   */
  #notify(session: string): void {
    const entry = this.#followed.get(session)
    if (entry === undefined) return
    const mark = this.#markOf(session)
    if (mark === entry.mark) return
    entry.mark = mark
    for (const listener of entry.listeners) {
      queueMicrotask(() => {
        if (entry.listeners.has(listener)) listener()
      })
    }
  }

  close(): void {
    this.#followed.clear()
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Polls the counter. A database that is busy or fails is polled again at the next interval. */
  #poll(): void {
    try {
      const count = this.#count()
      if (count === this.#seen) return
      this.#refresh()
      for (const session of this.#followed.keys()) this.#notify(session)
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
