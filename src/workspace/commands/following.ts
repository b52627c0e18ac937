import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { ForeignEntries } from './foreign-entries.ts'
import type { EventLog } from '../log/ports.ts'

interface FollowingParts {
  readonly session: string
  readonly log: EventLog
  readonly dispatcher: Dispatcher
  readonly foreign: ForeignEntries
  /** A log that could not be read; it is read again when the session changes next. */
  onFault(error: unknown): void
}

/** Keeps the state of a session as the log has it, for as long as somebody follows. */
export class Following {
  readonly #parts: FollowingParts
  readonly #stops: (() => Promise<void>)[] = []

  constructor(parts: FollowingParts) {
    this.#parts = parts
  }

  /**
   * Resolves when all that is in the log has been taken up, to what ends it. Rejects with
   * `LOG_NOT_FOLLOWED` for a log that cannot tell of changes, and with the errors of the log.
   */
  async start(): Promise<() => Promise<void>> {
    const { session, log, foreign, onFault } = this.#parts
    if (log.follow === undefined) throw notFollowed(session)
    const release = foreign.gather()
    const catchUp = this.#catchingUp()
    const unfollow = await log
      .follow(session, () => void catchUp().catch(onFault))
      .catch((error: unknown) => {
        release()
        throw error
      })
    const stop = async () => {
      const place = this.#stops.indexOf(stop)
      if (place === -1) return
      this.#stops.splice(place, 1)
      release()
      await unfollow()
    }
    this.#stops.push(stop)
    await catchUp().catch(async (error: unknown) => {
      await stop()
      throw error
    })
    return stop
  }

  async close(): Promise<void> {
    await Promise.all([...this.#stops].map((stop) => stop()))
  }

  /** However often it is told of changes while it reads, it reads once more. */
  #catchingUp(): () => Promise<void> {
    const { dispatcher, foreign } = this.#parts
    let waiting: Promise<void> | null = null
    return () => {
      waiting ??= dispatcher.follow(() => {
        waiting = null
      })
      return waiting.then(() => foreign.tell())
    }
  }
}

function notFollowed(session: string): WorkspaceError {
  return new WorkspaceError('LOG_NOT_FOLLOWED', 'This log cannot tell of what others append.', {
    hint: 'Keep the session in SQLite, in PostgreSQL or in memory.',
    facts: { session },
  })
}
