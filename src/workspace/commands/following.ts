import type { Catalog } from '../../catalog/create/catalog.ts'
import { fold } from '../../engine/evolve/evolve.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { Entry, EventType } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { CurrentCatalog } from './current-catalog.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { ForeignBatch } from './journal.ts'
import { emitWarning, type Outcome, successfulOutcome } from './outcome.ts'
import type { EventLog } from '../log/event-log.ts'

/** Keeps the state of a session up to date with its log, while it is followed. */
export class Following {
  readonly #session: string
  readonly #log: EventLog
  readonly #dispatcher: Dispatcher
  readonly #foreign: ForeignEntries
  readonly #stops: (() => Promise<void>)[] = []
  #isClosed = false

  constructor(session: string, log: EventLog, dispatcher: Dispatcher, foreign: ForeignEntries) {
    this.#session = session
    this.#log = log
    this.#dispatcher = dispatcher
    this.#foreign = foreign
  }

  /**
   * Starts following. Resolves, once the state has all entries of the log, to a function that stops it.
   * Rejects with `LOG_NOT_FOLLOWED` for a log that cannot report changes, and with the errors of the log.
   */
  async start(): Promise<() => Promise<void>> {
    const session = this.#session
    if (this.#log.follow === undefined) throw notFollowed(session)
    const release = this.#foreign.collect()
    const catchUp = this.#createCatchUp()
    // A log that could not be read is read again at the next change.
    const unfollow = await this.#log
      .follow(session, () => void catchUp().catch(emitWarning))
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
    // Closed while the log was asked.
    if (this.#isClosed) await stop()
    await catchUp().catch(async (error: unknown) => {
      await stop()
      throw error
    })
    return stop
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#stops].map((stop) => stop()))
  }

  /** Any number of changes while the log is read lead to one more read. */
  #createCatchUp(): () => Promise<void> {
    let waiting: Promise<void> | null = null
    return () => {
      waiting ??= this.#dispatcher.follow(() => {
        waiting = null
      })
      return waiting.then(() => this.#foreign.notify())
    }
  }
}

function notFollowed(session: string): WorkspaceError {
  return new WorkspaceError(
    'LOG_NOT_FOLLOWED',
    'This log cannot report what other processes append.',
    {
      hint: 'Keep the session in SQLite, in PostgreSQL or in memory.',
      facts: { session },
    },
  )
}

/**
 * The entries of other processes that listeners have not been notified of. Batches are collected while
 * the session is followed, and reported in the order of the log.
 */
export class ForeignEntries {
  readonly #context: EngineContext
  readonly #notify: (outcome: Outcome, entries: readonly Entry[]) => void
  #followers = 0
  #batches: ForeignBatch[] = []

  constructor(
    context: EngineContext,
    notify: (outcome: Outcome, entries: readonly Entry[]) => void,
  ) {
    this.#context = context
    this.#notify = notify
  }

  /** Starts collecting, and returns a function that stops it. */
  collect(): () => void {
    this.#followers += 1
    return () => {
      this.#followers -= 1
    }
  }

  /** Notes entries that were folded. */
  note(batch: ForeignBatch): void {
    if (this.#followers > 0 && batch.entries.length > 0) this.#batches.push(batch)
  }

  /** Notifies the listeners of the batches that were collected. */
  notify(): void {
    for (const { before, after, entries } of this.#batches.splice(0)) {
      this.#notify(successfulOutcome(before, after, this.#context), entries)
    }
  }
}

/**
 * Keeps the catalog of a read-only workspace that follows its session up to date: skills that other
 * processes activate are shown with the definitions from the log, whatever the catalog of this process
 * has.
 *
 * Returns a function to await before entries are folded into a state, so that no view sees the new
 * state with the old catalog.
 */
export function trackRecordedCatalog(
  current: CurrentCatalog,
  catalogAt: (state: WorkspaceState) => Promise<Catalog>,
): (before: WorkspaceState, entries: readonly Entry[]) => Promise<void> {
  return async (before, entries) => {
    if (entries.some(isAboutSkill)) current.set(await catalogAt(fold(entries, before)))
  }
}

const SKILL_EVENTS: ReadonlySet<string> = new Set<EventType>([
  'source.opened',
  'source.accepted',
  'source.closed',
  'tools_enabled',
])

function isAboutSkill({ event }: Entry): boolean {
  return SKILL_EVENTS.has(event.type)
}
