import { fold } from '../../engine/evolve/evolve.ts'
import type { Draft, Entry } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { SessionStore } from './session-store.ts'
import type { Clock } from '../log/clock.ts'
import type { DefinitionRegistry } from '../log/definition-registry.ts'
import type { AnyLog, EventLog, ImmediateLog } from '../log/event-log.ts'
import { type MaybeAsync, waitFor } from '../log/maybe-async.ts'
import { writeSnapshot } from '../log/read-from-snapshot.ts'
import { redactDraft } from '../log/redact-draft.ts'
import { checkSameSession, sessionReplaced } from '../log/session-replaced.ts'
import { entryHash } from '../log/stored-entry.ts'

/**
 * How often entries are tried again because another process appended first. Who lost has to read before
 * it may try again, so over a network it loses many times in a row to two others that never rest.
 */
export const CONFLICT_LIMIT = 250

export interface JournalParts {
  readonly session: string
  /** Hash of the entry that the state of the store ends with; undefined before the first. */
  readonly last: ContentHash | undefined
  readonly log: EventLog
  readonly clock: Clock
  readonly store: SessionStore
  readonly definitions: DefinitionRegistry
  /** Takes secrets out before anything is written or folded. */
  readonly redactor: Redactor | undefined
  /** Entries between two snapshots. */
  readonly snapshotEvery: number
  /** Awaited before what other processes appended is folded in; absent where nothing depends on it. */
  readonly prepare?: (before: WorkspaceState, entries: readonly Entry[]) => Promise<void>
  /** Told of what other processes appended, before it is folded in. */
  onForeign(entries: readonly Entry[]): void
}

/** The one place where entries are written and folded: memory never runs ahead of the log. */
export class Journal {
  readonly #parts: JournalParts
  /** Hash of the entry that was folded in last. */
  #last: ContentHash | undefined
  /** The snapshot that was kept last; never rejects. */
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
   * Append drafts after the entries the store has, and fold them in.
   *
   * Null when another process was first: its entries are in the store then, and the caller decides
   * again. Throws when the log fails; the store is unchanged then.
   */
  *append(
    drafts: readonly Draft[],
    log: AnyLog = this.#parts.log,
  ): MaybeAsync<readonly Entry[] | null> {
    if (drafts.length === 0) return []
    const { session, store, definitions } = this.#parts
    const { state } = store.getState()
    const entries = this.#numbered(drafts)
    yield* definitions.keep(drafts, log)
    try {
      yield* waitFor(log.append(session, state.seq + 1, entries, this.#last))
    } catch (error) {
      if (!isConflict(error)) throw error
      const hasMoved = (yield* this.catchUp(log)) || store.getState().state.seq > state.seq
      if (!hasMoved) throw sessionReplaced(session, state.seq, error)
      return null
    }
    this.#fold(entries)
    this.#keepSnapshot(entries)
    return entries
  }

  /** Append entries that are right in any state, again after each conflict. */
  *appendSurely(drafts: readonly Draft[]): MaybeAsync<readonly Entry[]> {
    for (let attempt = 0; attempt < CONFLICT_LIMIT; attempt += 1) {
      const entries = yield* this.append(drafts)
      if (entries !== null) return entries
    }
    throw tooManyConflicts(this.session)
  }

  /**
   * Fold in what other processes appended; false when there was nothing. Throws `SESSION_REPLACED` when
   * it does not follow what the store has.
   */
  *catchUp(log: AnyLog = this.#parts.log): MaybeAsync<boolean> {
    const { session, store, definitions, onForeign, prepare } = this.#parts
    const { state } = store.getState()
    const last = this.#known(state)
    const missed = yield* waitFor(log.read(session, state.seq + 1))
    if (missed.length === 0) return false
    if (last) {
      const [found] = yield* waitFor(log.read(session, last.seq, last.seq))
      checkSameSession(session, last, found)
    }
    yield* definitions.learn(missed, log)
    if (prepare) yield* waitFor(prepare(state, missed))
    onForeign(missed)
    this.#fold(missed)
    return true
  }

  /** Resolves when no snapshot is being written any more. */
  async settle(): Promise<void> {
    await this.#caching
  }

  /** The entry that a state ends with. */
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
      ...(redactor === undefined ? draft : redactDraft(draft, redactor)),
    }))
  }

  /**
   * Keep the state that was reached, each time so many entries have come. Nobody waits for it, and
   * nobody hears when it fails: the log has all of it.
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

  /** A command that did not wait may have folded some of them in while this one waited. */
  #fold(entries: readonly Entry[]): void {
    const { store } = this.#parts
    const { state } = store.getState()
    const fresh = entries.filter(({ seq }) => seq > state.seq)
    const last = fresh.at(-1)
    if (last !== undefined) this.#last = entryHash(last)
    store.setState({ state: fold(fresh, state) })
  }
}

function isConflict(error: unknown): boolean {
  return WorkspaceError.is(error) && error.code === 'LOG_CONFLICT'
}

export function tooManyConflicts(session: string): WorkspaceError {
  return new WorkspaceError('LOG_CONFLICT', 'Other processes kept appending to this session.', {
    hint: 'Try again when they are quiet.',
    facts: { session, attempts: CONFLICT_LIMIT },
  })
}
