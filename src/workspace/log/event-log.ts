import type { Entry } from '../../engine/model/workspace-event.ts'
import { checkOptions, invalidOption } from '../../kernel/check-options.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** One session of a log, for listings. */
export interface SessionSummary {
  readonly session: string
  /** The number of its entries, which is also the version that the next append must expect. */
  readonly version: number
  /** Wall clock of its first and of its last entry, in milliseconds since 1970. */
  readonly openedAt: number
  readonly changedAt: number
  /** The session whose first entries a fork has. Absent for any other, and where the log would have to read the session. */
  readonly forkedFrom?: string
  /**
   * Why this summary may be wrong and the session cannot be read; absent when nothing is known to be wrong.
   * Damage further inside the session is only found by reading it.
   */
  readonly damage?: string
}

/**
 * The store of sessions: each is a list of entries that only grows. An append that has resolved is
 * durable, as far as the implementation promises; a workspace never shows what is not yet appended.
 */
export interface EventLog {
  /**
   * Adds entries after the first `expectedVersion` ones, all or none.
   *
   * Throws `LOG_CONFLICT` when the session has another number of entries, or when the `entryHash` of
   * the entry before them is not `after`: then the session was deleted and started again in the meantime.
   */
  append(
    session: string,
    expectedVersion: number,
    entries: readonly Entry[],
    after?: ContentHash,
  ): Promise<void>
  /**
   * Reads the entries from number `from` (0 by default) to number `last` (the last one by default), both
   * included, upgraded to the current format. An unknown session has none. Throws `LOG_DAMAGED`.
   */
  read(session: string, from?: number, last?: number): Promise<readonly Entry[]>
  /**
   * Reads a session in one round trip: the latest snapshot of a format, and the entries from its last one on; all entries
   * without a snapshot. Absent where `snapshots.latest` and `read` are as fast.
   */
  load?(session: string, format: string): Promise<LoadedSession>
  /** Lists sessions: those that changed last come first. All of them without a page. */
  list(page?: SessionPage): Promise<readonly SessionSummary[]>
  delete(session: string): Promise<void>
  /**
   * Permanently deletes old sessions, if the request says so, and then the definitions that no session of
   * the log refers to, directly or through another definition.
   */
  prune(request?: PruneRequest): Promise<PruneReport>
  /**
   * The definitions and file digests that sessions used, by content hash; the listings of their catalogs,
   * by the hash of the catalog; and the options that shaped their prompts.
   */
  readonly definitions: {
    /** Returns whether a definition is stored, without reading it: some are large. */
    has(hash: ContentHash): Promise<boolean>
    put(hash: ContentHash, definition: JsonValue): Promise<void>
    /** Reads definitions, all of them at once: one round trip. Those that are not stored are left out. */
    get(hashes: readonly ContentHash[]): Promise<ReadonlyMap<ContentHash, JsonValue>>
    /** Writes what was put now, and not with the next append; absent where `put` writes it. */
    flush?(): Promise<void>
    /**
     * Another value once definitions were pruned, as far as the last append knows: a definition that was
     * put before may be gone. Absent where they are never pruned.
     */
    readonly epoch?: string
  }
  /** Folded states, so that a long session need not be read from its beginning; absent where none are stored. */
  readonly snapshots?: SnapshotStore
  /**
   * Calls `listener` soon after a session has changed, in this process or another; absent where changes
   * cannot be noticed. Several changes may lead to one call, and some calls come without a change.
   *
   * Resolves to a function that stops it, once no later change can be missed. Lost connections are
   * opened again. The listener must not throw.
   */
  follow?(session: string, listener: () => void): Promise<() => Promise<void>>
  /** The same log without promises; present when it commits at once. */
  readonly immediate?: ImmediateLog
}

/** A part of the list of sessions. */
export interface SessionPage {
  /** The greatest number of sessions; all when absent. */
  readonly limit?: number
  /** The last session of the page before; the list begins after it. */
  readonly after?: Pick<SessionSummary, 'session' | 'changedAt'>
}

export interface PruneRequest {
  /** Delete sessions whose last entry is from before this time, in milliseconds since 1970; none when absent. */
  readonly changedBefore?: number
  /** Report what would be deleted, and delete nothing. */
  readonly dryRun?: boolean
}

/** The deleted sessions and definitions. */
export interface PruneReport {
  readonly sessions: readonly string[]
  readonly definitions: number
  /** Bytes of the definitions. */
  readonly bytes: number
}

/**
 * Checks a request to prune before anything is deleted, so that a mistyped `dryRun` deletes nothing. Throws
 * `OPTIONS_INVALID`.
 */
export function checkPrune(request: PruneRequest): void {
  checkOptions(request, { changedBefore: 'number', dryRun: 'switch' })
}

/**
 * Checks a page, for a log that sorts and limits its sessions in a query; without a limit it has the greatest one.
 * Throws `OPTIONS_INVALID` unless the limit is a whole number.
 */
export function checkedPage(page: SessionPage = {}): SessionPage & { readonly limit: number } {
  checkOptions(page, { limit: 'number', after: true })
  const limit = Math.min(page.limit ?? Infinity, Number.MAX_SAFE_INTEGER)
  if (Number.isInteger(limit) && limit >= 0) return { ...page, limit }
  throw invalidOption(
    'limit',
    '"limit" must be a whole number.',
    'Give 0 or more, or leave it out.',
  )
}

/**
 * Sorts all sessions of a log, those that changed last first, and returns a page of them. Throws `OPTIONS_INVALID`
 * as `checkedPage` does.
 */
export function sessionPage(
  sessions: readonly SessionSummary[],
  page?: SessionPage,
): readonly SessionSummary[] {
  const { limit, after } = checkedPage(page)
  const sorted = sessions.toSorted(compareSessions)
  const rest = after ? sorted.filter((one) => compareSessions(after, one) < 0) : sorted
  return rest.slice(0, limit)
}

type PlaceInList = NonNullable<SessionPage['after']>

function compareSessions(a: PlaceInList, b: PlaceInList): number {
  return b.changedAt - a.changedAt || (a.session < b.session ? -1 : Number(a.session > b.session))
}

/** The form of an `EventLog` for callers that cannot wait: a change is committed when the call returns. */
export interface ImmediateLog {
  append(
    session: string,
    expectedVersion: number,
    entries: readonly Entry[],
    after?: ContentHash,
  ): void
  read(session: string, from?: number, last?: number): readonly Entry[]
  delete(session: string): void
  readonly definitions: {
    has(hash: ContentHash): boolean
    put(hash: ContentHash, definition: JsonValue): void
    get(hashes: readonly ContentHash[]): ReadonlyMap<ContentHash, JsonValue>
  }
}

/** The state after an entry, as text. */
export interface StoredSnapshot {
  /** The number of the last entry in the state. */
  readonly seq: number
  /** Names the versions of Loadout that can read the text: others may fold the same entries differently. */
  readonly format: string
  readonly text: string
}

/** A session that a log read at once. */
export interface LoadedSession {
  readonly snapshot?: StoredSnapshot
  readonly entries: readonly Entry[]
}

/**
 * A cache of folded states, so that a long session need not be read from its beginning. It keeps the two
 * newest snapshots of a session.
 *
 * It may lose anything at any time, and the log is always right: the reader of a snapshot checks that
 * the text is intact and belongs to the entries of the log. Deleting a session deletes its snapshots.
 */
interface SnapshotStore {
  /** Stores a snapshot; it replaces one for the same entry. */
  put(session: string, snapshot: StoredSnapshot): Promise<void>
  /** Returns the latest snapshot of a format, or the latest one up to entry `atMost`. */
  latest(session: string, format: string, atMost?: number): Promise<StoredSnapshot | undefined>
}

/** One append, and the end that the session has now. */
interface AppendCheck {
  readonly session: string
  /** The number of entries that the caller expects, and that of the log. */
  readonly expected: number
  readonly found: number
  readonly entries: readonly Entry[]
  /** The hash of the last entry that the caller knows; not checked when undefined. */
  readonly after: ContentHash | undefined
  /** Returns the `entryHash` of the last entry in the log; called at most once. */
  readonly lastHash: () => ContentHash | undefined
}

/**
 * Checks an append where no other append can come in between, such as in its transaction. Throws
 * `LOG_CONFLICT` when the session has another number of entries or another last entry, `LOG_SEQUENCE` when
 * the numbers of the entries do not continue it, and `LOG_NOT_AN_ENTRY` when the time of one is not a
 * finite number, so that it could not be read back.
 */
export function checkAppend(append: AppendCheck): void {
  const { session, expected, found, entries, after, lastHash } = append
  if (expected !== found) throw appendConflict(session, expected, found)
  let next = expected
  for (const { seq, at } of entries) {
    if (!Number.isFinite(at)) throw notAnEntry(session, seq)
    if (seq !== next) throw outOfSequence(session, next, seq)
    next += 1
  }
  if (after !== undefined && after !== lastHash()) throw appendConflict(session, expected, found)
}

function outOfSequence(session: string, expected: number, found: number): WorkspaceError {
  return new WorkspaceError(
    'LOG_SEQUENCE',
    `The next entry of session "${session}" is ${expected}, not ${found}.`,
    {
      facts: { session, expected, found },
      hint: 'Number the entries from the expected version on, without gaps.',
    },
  )
}

/** Such an entry would damage the log: `readEntry` does not accept it. */
function notAnEntry(session: string, seq: number): WorkspaceError {
  return new WorkspaceError(
    'LOG_NOT_AN_ENTRY',
    `Entry ${seq} of session "${session}" has no time.`,
    {
      facts: { session, seq },
      hint: 'Give the wall clock in milliseconds since 1970. A custom clock must return a finite number.',
    },
  )
}

function appendConflict(session: string, expected: number, found: number): WorkspaceError {
  return new WorkspaceError('LOG_CONFLICT', `Session "${session}" has changed.`, {
    facts: { session, expected, found },
    hint: 'Read the new entries, and decide again.',
  })
}

/** The listeners of a log, by session, for its `follow`. */
export class Followers {
  readonly #listeners = new Map<string, Set<() => void>>()

  /** Adds a listener, and returns a function that removes it. */
  follow(session: string, listener: () => void): () => void {
    // The same function may follow twice.
    const own = () => listener()
    const all = this.#listeners.get(session) ?? new Set()
    this.#listeners.set(session, all.add(own))
    return () => {
      all.delete(own)
      if (all.size === 0 && this.#listeners.get(session) === all) this.#listeners.delete(session)
    }
  }

  /** The sessions that have a listener. */
  get sessions(): readonly string[] {
    return [...this.#listeners.keys()]
  }

  /** Calls the listeners of a session at once: call it after the change is committed. */
  notify(session: string): void {
    for (const listener of this.#listeners.get(session) ?? []) listener()
  }

  clear(): void {
    this.#listeners.clear()
  }
}
