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
import type { EventLog } from '../log/event-log.ts'
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

/** The number of an entry and its hash. */
interface EntryMark {
  readonly seq: number
  readonly hash: ContentHash
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

  /** The number and hash of the entry that was folded last; null before the first entry. */
  get last(): EntryMark | null {
    const { seq } = this.#parts.store.getState().state
    return this.#last === undefined ? null : { seq, hash: this.#last }
  }

  /**
   * Appends drafts after the last entry of the state, and folds them. Returns null when another process appended first:
   * then its entries are folded, and the caller decides again. Throws as `recover` does.
   */
  async append(drafts: readonly Draft[]): Promise<readonly Entry[] | null> {
    const entries = this.numbered(drafts)
    const { epoch } = this
    for (const written of this.keep(drafts)) await written
    try {
      await this.write(entries)
    } catch (error) {
      await this.recover(error, entries)
      return null
    }
    if (this.epoch !== epoch) await this.keepAgain(drafts)
    this.fold(entries)
    return entries
  }

  /** Writes the definitions that drafts name to the log; yields one promise for each. */
  *keep(drafts: readonly Draft[]): Generator<Promise<void>> {
    const { definitions } = this.#parts
    for (const one of definitions.unwritten(drafts)) yield definitions.keep(one)
  }

  /** Another value once the definitions of the log were pruned. */
  get epoch(): string | undefined {
    return this.#parts.log.definitions.epoch
  }

  /** Appends entries to the log. Their definitions are there, and `fold` has to follow at once. */
  write(entries: readonly Entry[]): Promise<void> | undefined {
    const [first] = entries
    const { session, log } = this.#parts
    return first && log.append(session, first.seq, entries, this.#last)
  }

  /**
   * Folds the entries that another process appended first. Throws when the log fails or does not answer; the state is
   * unchanged then.
   *
   * @param registration the tools that the entries register
   */
  async recover(
    error: unknown,
    entries: readonly Entry[],
    registration?: Registration,
  ): Promise<void> {
    const { session, store } = this.#parts
    const seq = (entries[0]?.seq ?? 0) - 1
    if (!isConflict(error)) {
      // The log may have the entries although it failed.
      if (registration) {
        const failed = { registration, entries: entries.map(entryHash) }
        this.#unanswered = [...this.#unanswered, failed]
      }
      throw error
    }
    const hasMoved = (await this.catchUp()) || store.getState().state.seq > seq
    if (!hasMoved) throw sessionReplaced(session, seq, error)
  }

  /**
   * Writes definitions again to a log that was pruned while entries that name them were appended, and at once: that
   * append may be the last one.
   */
  async keepAgain(drafts: readonly Draft[]): Promise<void> {
    for (const written of this.keep(drafts)) await written
    try {
      await this.#parts.log.definitions.flush?.()
    } catch (error) {
      emitWarning(error)
    }
  }

  /**
   * Folds entries of this process that are in the log.
   *
   * @param registration the tools that they register; their handlers are bound
   */
  fold(entries: readonly Entry[], registration?: Registration): void {
    if (entries.length > 0 || registration) this.#fold(entries, registration)
    this.#keepSnapshot(entries)
  }

  /** Appends entries that are right in any state; tries again after each conflict. */
  async appendSurely(drafts: readonly Draft[]): Promise<readonly Entry[]> {
    for (const backoff = this.backoff(); ; await backoff.wait()) {
      const entries = await this.append(drafts)
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
  async catchUp(): Promise<boolean> {
    const { session, store, log } = this.#parts
    const { last } = this
    const missed = await log.read(session, store.getState().state.seq + 1)
    if (missed.length === 0) return false
    if (last) this.checkSame(last, (await log.read(session, last.seq, last.seq))[0])
    await this.advance(missed)
    return true
  }

  /**
   * Throws `SESSION_REPLACED` unless the log has the entry that was folded last. The entries after another one belong to
   * another session of the same id.
   */
  checkSame({ seq, hash }: EntryMark, found: Entry | undefined, cause?: unknown): void {
    if (found !== undefined && entryHash(found) === hash) return
    throw sessionReplaced(this.#parts.session, seq, cause)
  }

  /** Folds entries that were read from the log, and follow the state. */
  async advance(entries: readonly Entry[]): Promise<void> {
    const { store, definitions, prepare } = this.#parts
    await definitions.learn(entries)
    if (prepare) await prepare(store.getState().state, entries)
    this.foldForeign(entries)
  }

  /** Folds entries of other processes, whose definitions are known. */
  foldForeign(entries: readonly Entry[]): void {
    this.#parts.onForeign(this.#fold(entries, this.#answered(entries)))
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

  /** Returns drafts as the next entries, and adds the definitions of the tools that they register. */
  numbered(drafts: readonly Draft[], registration?: Registration): readonly Entry[] {
    const { clock, store, redactor, definitions } = this.#parts
    registration?.tools.forEach((tool) => definitions.add(tool))
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
  async wait(): Promise<void> {
    const { session, clock, randomness } = this.#parts
    const now = clock.monotonic()
    this.#losses += 1
    if (this.#losses === 1) this.#firstAt = now
    if (now - this.#firstAt >= CONFLICT_LIMIT_MS) throw tooManyConflicts(session, this.#losses)
    const longer = this.#losses - FREE_LOSSES
    if (longer <= 0) return
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** longer, MAX_PAUSE_MS)
    await pause(randomness() * longest, new AbortController().signal)
    await this.#journal.catchUp()
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
