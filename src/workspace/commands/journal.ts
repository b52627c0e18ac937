import { evolve } from '../../engine/evolve/evolve.ts'
import type { Draft, Entry } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { deepFreeze, wellFormed } from '../../kernel/json-value.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { HandlerBindings, Registration } from './handler-bindings.ts'
import { emitWarning } from './outcome.ts'
import type { SessionStore } from './session-store.ts'
import { pause } from './with-time-limit.ts'
import type { Clock, Randomness } from '../log/clock.ts'
import type { DefinitionRegistry } from '../log/definition-registry.ts'
import type { AnyLog, EventLog, ImmediateLog } from '../log/event-log.ts'
import { type MaybeAsync, waitFor } from '../log/maybe-async.ts'
import { writeSnapshot } from '../log/read-from-snapshot.ts'
import { redactDraft } from '../log/redact-draft.ts'
import { sessionReplaced } from '../log/session-replaced.ts'
import { entryHash } from '../log/stored-entry.ts'

export interface JournalParts {
  readonly session: string
  /** The hash of the last entry in the state; undefined before the first entry. */
  readonly last: ContentHash | undefined
  readonly log: EventLog
  readonly clock: Clock
  /** Spreads the attempts of processes that append at the same time. */
  readonly randomness: Randomness
  readonly store: SessionStore
  readonly definitions: DefinitionRegistry
  readonly handlers: HandlerBindings
  /** Removes secrets before anything is written or folded; undefined when nothing is redacted. */
  readonly redactor: Redactor | undefined
  /** The number of entries between two snapshots. */
  readonly snapshotEvery: number
  /** Awaited before the entries of other processes are folded; absent when nothing depends on it. */
  readonly prepare?: (before: WorkspaceState, entries: readonly Entry[]) => Promise<void>
  /** Called with the entries of other processes, once they are folded. */
  onForeign(batch: ForeignBatch): void
}

/** Entries that other processes appended, and the states they lead from and to. */
export interface ForeignBatch {
  readonly before: WorkspaceState
  readonly after: WorkspaceState
  readonly entries: readonly Entry[]
}

/** The only place where entries are written and folded. Entries are in the log before they are in the state. */
export class Journal {
  readonly #parts: JournalParts
  /** The hash of the entry that was folded last. */
  #last: ContentHash | undefined
  /** Registrations that the log failed to append, and of which it may have one all the same; with the hashes of their entries. */
  #unanswered: readonly {
    readonly registration: Registration
    readonly entries: readonly ContentHash[]
  }[] = []
  /** Settles when the last snapshot is stored; never rejects. */
  #caching: Promise<unknown> | undefined

  constructor(parts: JournalParts) {
    this.#parts = parts
    this.#last = parts.last
  }

  get session(): string {
    return this.#parts.session
  }

  /** The log in the form that commits at once; undefined when it has none. */
  get immediate(): ImmediateLog | undefined {
    return this.#parts.log.immediate
  }

  /**
   * Appends drafts after the last entry of the state, and folds them.
   *
   * Returns null when another process appended first: then its entries are folded, and the caller
   * decides again. Throws when the log fails or does not answer; the state is unchanged then.
   *
   * @param registration the tools that the drafts register; their handlers are bound with the fold
   */
  *append(
    drafts: readonly Draft[],
    log: AnyLog = this.#parts.log,
    registration?: Registration,
  ): MaybeAsync<readonly Entry[] | null> {
    if (drafts.length === 0) {
      if (registration) this.#fold([], registration)
      return []
    }
    const { session, store, definitions, log: shared } = this.#parts
    const { state } = store.getState()
    const entries = this.#numbered(drafts)
    const { epoch } = shared.definitions
    registration?.tools.forEach((tool) => definitions.add(tool))
    yield* definitions.keep(drafts, log)
    try {
      yield* waitFor(log.append(session, state.seq + 1, entries, this.#last))
    } catch (error) {
      if (!isConflict(error)) {
        // The log may have the entries although it failed.
        if (registration) {
          const failed = { registration, entries: entries.map(entryHash) }
          this.#unanswered = [...this.#unanswered, failed]
        }
        throw error
      }
      const hasMoved = (yield* this.catchUp(log)) || store.getState().state.seq > state.seq
      if (!hasMoved) throw sessionReplaced(session, state.seq, error)
      return null
    }
    // A log that was pruned meanwhile gets the definitions again, at once: this append may be the last one.
    if (shared.definitions.epoch !== epoch) {
      yield* definitions.keep(drafts, log)
      try {
        yield* waitFor(shared.definitions.flush?.())
      } catch (error) {
        emitWarning(error)
      }
    }
    this.#fold(entries, registration)
    this.#keepSnapshot(entries)
    return entries
  }

  /** Appends entries that are right in any state; tries again after each conflict. */
  *appendSurely(drafts: readonly Draft[]): MaybeAsync<readonly Entry[]> {
    for (const backoff = this.backoff(); ; yield* backoff.wait()) {
      const entries = yield* this.append(drafts)
      if (entries !== null) return entries
    }
  }

  /** Returns the pauses of a new command. */
  backoff(): ConflictBackoff {
    return new ConflictBackoff(this, this.#parts)
  }

  /**
   * Folds the entries that other processes appended; returns false when there are none. Throws
   * `SESSION_REPLACED` when they do not follow the state.
   */
  *catchUp(log: AnyLog = this.#parts.log): MaybeAsync<boolean> {
    const { session, store } = this.#parts
    const { state } = store.getState()
    const last = this.#known(state)
    const missed = yield* waitFor(log.read(session, state.seq + 1))
    if (missed.length === 0) return false
    if (last) {
      const [found] = yield* waitFor(log.read(session, last.seq, last.seq))
      // Otherwise the entries after it belong to another session of the same id.
      const isSame = found !== undefined && entryHash(found) === last.hash
      if (!isSame) throw sessionReplaced(session, last.seq)
    }
    yield* this.advance(missed, log)
    return true
  }

  /** Folds entries that were read from the log, and follow the state. */
  *advance(entries: readonly Entry[], log: AnyLog = this.#parts.log): MaybeAsync<void> {
    const { store, definitions, onForeign, prepare } = this.#parts
    yield* definitions.learn(entries, log)
    if (prepare) yield* waitFor(prepare(store.getState().state, entries))
    onForeign(this.#fold(entries, this.#answered(entries)))
  }

  /** Returns the registration that failed when it was appended, and whose entries were read all the same. */
  #answered(read: readonly Entry[]): Registration | undefined {
    const unanswered = this.#unanswered
    if (unanswered.length === 0) return undefined
    this.#unanswered = []
    const hashes = new Set(read.map(entryHash))
    return unanswered.find(({ entries }) => entries.some((one) => hashes.has(one)))?.registration
  }

  /** Resolves when no snapshot is being written any more. */
  async settle(): Promise<void> {
    await this.#caching
  }

  /** Returns the number and hash of the last entry in a state; null before the first entry. */
  #known({ seq }: WorkspaceState) {
    return this.#last === undefined ? null : { seq, hash: this.#last }
  }

  #numbered(drafts: readonly Draft[]): readonly Entry[] {
    const { clock, store, redactor } = this.#parts
    const next = store.getState().state.seq + 1
    const at = clock.now()
    return drafts.map((draft, index) => ({
      seq: next + index,
      at,
      ...wellFormed(redactor === undefined ? draft : redactDraft(draft, redactor)),
    }))
  }

  /**
   * Stores a snapshot of the state each time `snapshotEvery` entries were added. Commands do not wait for
   * it, and a failure is ignored: the log has every entry.
   */
  #keepSnapshot(entries: readonly Entry[]): void {
    const { session, log, store, snapshotEvery: every } = this.#parts
    const { state } = store.getState()
    const last = entries.at(-1)
    if (log.snapshots === undefined || last === undefined || state.seq !== last.seq) return
    const before = last.seq + 1 - entries.length
    if (Math.floor((last.seq + 1) / every) === Math.floor(before / every)) return
    this.#caching = log.snapshots.put(session, writeSnapshot(state, last)).catch(() => undefined)
  }

  /** Folds entries. A command that did not wait may have folded some of the entries while this one waited. */
  #fold(given: readonly Entry[], registration?: Registration): ForeignBatch {
    const { store, handlers } = this.#parts
    const before = store.getState().state
    const entries = given.filter(({ seq }) => seq > before.seq)
    let after = before
    for (const entry of entries) {
      // Listeners get it, and the state shares its parts.
      deepFreeze(entry)
      const next = evolve(after, entry)
      const { event, seq } = entry
      if (event.type === 'source.opened' || event.type === 'source.synced') {
        handlers.passOn(after, next, event, seq)
      }
      after = next
    }
    const last = entries.at(-1)
    if (last !== undefined) this.#last = entryHash(last)
    if (registration) {
      const [first] = given
      // An owner that lists all its tools gives the handlers of those that stay, too.
      handlers.bind(after, registration, first?.event.type === 'source.synced' ? 0 : first?.seq)
      // The tool table follows from the open sources, and was computed without these handlers.
      if (entries.length === 0) after = { ...after, open: [...after.open] }
    }
    store.setState({ state: after })
    return { before, after, entries }
  }
}

function isConflict(error: unknown): boolean {
  return WorkspaceError.is(error) && error.code === 'LOG_CONFLICT'
}

/** Losses without a pause. A process has to read before it tries again, which often is enough. */
const FREE_LOSSES = 2

/** The longest pause after the first losses, and after many, in milliseconds. */
const FIRST_PAUSE_MS = 2

const MAX_PAUSE_MS = 50

/** Milliseconds from the first loss, after which a command gives up. */
const CONFLICT_LIMIT_MS = 15_000

type BackoffParts = Pick<JournalParts, 'session' | 'clock' | 'randomness'>

/**
 * The pauses of one command whose appends lose to those of other processes. They get longer and are
 * random: processes that retry at once meet again.
 */
export class ConflictBackoff {
  readonly #journal: Journal
  readonly #parts: BackoffParts
  #losses = 0
  #firstAt = 0

  constructor(journal: Journal, parts: BackoffParts) {
    this.#journal = journal
    this.#parts = parts
  }

  /**
   * Waits after a loss, before the next attempt, and folds what others appended meanwhile: the attempt would
   * be lost to it. Throws `LOG_CONFLICT` at the time limit.
   */
  *wait(): MaybeAsync<void> {
    const { session, clock, randomness } = this.#parts
    const now = clock.monotonic()
    this.#losses += 1
    if (this.#losses === 1) this.#firstAt = now
    if (now - this.#firstAt >= CONFLICT_LIMIT_MS) throw tooManyConflicts(session, this.#losses)
    const longer = this.#losses - FREE_LOSSES
    if (longer <= 0) return
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** longer, MAX_PAUSE_MS)
    yield pause(randomness() * longest, new AbortController().signal)
    yield* this.#journal.catchUp()
  }
}

function tooManyConflicts(session: string, attempts: number): WorkspaceError {
  const seconds = CONFLICT_LIMIT_MS / 1_000
  return new WorkspaceError(
    'LOG_CONFLICT',
    `Other processes kept appending to this session for ${seconds} seconds.`,
    { hint: 'Try again when they append less often.', facts: { session, attempts } },
  )
}
