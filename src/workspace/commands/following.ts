import type { Catalog } from '../../catalog/create/catalog.ts'
import { fold } from '../../engine/evolve/evolve.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { Entry, EventType } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Dispatcher } from './dispatcher.ts'
import { type Outcome, successfulOutcome } from './outcome.ts'
import type { EventLog } from '../log/event-log.ts'

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

interface Batch {
  readonly before: WorkspaceState
  readonly entries: readonly Entry[]
}

/**
 * What other processes appended and listeners here have yet to hear of. It is told batch by batch,
 * in the order of the log; only while somebody follows the session.
 */
export class ForeignEntries {
  readonly #surroundings: EngineContext
  readonly #notify: (outcome: Outcome, entries: readonly Entry[]) => void
  #followers = 0
  #batches: Batch[] = []

  constructor(
    surroundings: EngineContext,
    notify: (outcome: Outcome, entries: readonly Entry[]) => void,
  ) {
    this.#surroundings = surroundings
    this.#notify = notify
  }

  /** From now on; gives back what ends it. */
  gather(): () => void {
    this.#followers += 1
    return () => {
      this.#followers -= 1
    }
  }

  /** Entries that are about to be folded into a state. */
  note(before: WorkspaceState, read: readonly Entry[]): void {
    // A command that did not wait may have taken up some of them while the log was read.
    const entries = read.filter(({ seq }) => seq > before.seq)
    if (this.#followers > 0 && entries.length > 0) this.#batches.push({ before, entries })
  }

  tell(): void {
    for (const { before, entries } of this.#batches.splice(0)) {
      const outcome = successfulOutcome(before, fold(entries, before), this.#surroundings)
      this.#notify(outcome, entries)
    }
  }
}

/**
 * For who only looks at a session and follows it: skills that others equip are shown by the definitions
 * they equipped, whatever catalog this process has. The catalog of `surroundings` is that of the
 * moment from now on.
 *
 * Gives what is to be awaited before entries are folded into a state, so that no view sees the new
 * state by the old catalog.
 */
export function trackRecordedCatalog(
  surroundings: EngineContext,
  catalogAt: (state: WorkspaceState) => Promise<Catalog>,
): (before: WorkspaceState, entries: readonly Entry[]) => Promise<void> {
  let current = surroundings.catalog
  Object.defineProperty(surroundings, 'catalog', { get: () => current, enumerable: true })
  return async (before, entries) => {
    if (entries.some(isAboutSkill)) current = await catalogAt(fold(entries, before))
  }
}

const SKILL_EVENTS: ReadonlySet<string> = new Set<EventType>([
  'source.opened',
  'source.accepted',
  'source.closed',
])

function isAboutSkill({ event }: Entry): boolean {
  return SKILL_EVENTS.has(event.type)
}
