import type { Entry } from '../../engine/model/workspace-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** One session of a log, for listings. */
export interface SessionSummary {
  readonly session: string
  /** Entries in it; also the version the next append must expect. */
  readonly version: number
  /** Wall clock of its first and last entry, milliseconds since 1970. */
  readonly openedAt: number
  readonly changedAt: number
  /**
   * Why what is said here cannot be relied on, and the session not be read; absent where nothing is
   * wrong. Damage further in is found by reading.
   */
  readonly damage?: string
}

/**
 * Where sessions are kept. An append that returned is durable in the mode the
 * implementation names; memory never runs ahead of it.
 */
export interface EventLog {
  /**
   * Add entries after the first `expectedVersion` ones, all or none.
   * Throws `LOG_CONFLICT` when the log holds another number of entries, or another one before
   * them than that with the hash `after` (`entryHash`): then the session was deleted and begun anew since that was read.
   */
  append(
    session: string,
    expectedVersion: number,
    entries: readonly Entry[],
    after?: ContentHash,
  ): Promise<void>
  /**
   * Entries from `from` (0 by default) in order, up to and with `last` (all by default), in the form
   * of this version; empty for an unknown session. Throws `LOG_DAMAGED`.
   */
  read(session: string, from?: number, last?: number): Promise<readonly Entry[]>
  list(): Promise<readonly SessionSummary[]>
  delete(session: string): Promise<void>
  /** The very definitions and file digests sessions used, by content hash. */
  readonly definitions: {
    put(hash: ContentHash, definition: JsonValue): Promise<void>
    get(hash: ContentHash): Promise<JsonValue | undefined>
  }
  /** Folded states, so that a long session need not be read whole; absent where nobody keeps them. */
  readonly snapshots?: SnapshotStore
  /**
   * Call `listener` soon after a session has changed, whoever changed it; absent where nobody can
   * tell. Changes in quick succession may be told at once, and now and then there is nothing new.
   *
   * Resolves, when nothing from then on is missed, to what ends it. Connections that are lost are
   * made anew. The listener must not throw.
   */
  follow?(session: string, listener: () => void): Promise<() => Promise<void>>
  /** There when the log commits at once. */
  readonly immediate?: ImmediateLog
}

/**
 * The same log for who cannot wait: what it takes is committed when the call returns. Only a log
 * in memory can say that of itself; it is `EventLog` in all else.
 */
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
    put(hash: ContentHash, definition: JsonValue): void
    get(hash: ContentHash): JsonValue | undefined
  }
}

/** A log to await, or the form of it that commits at once: the same methods, with or without promises. */
export type AnyLog = EventLog | ImmediateLog

/** The state after an entry, as text. */
export interface StoredSnapshot {
  /** The entry the state ends with. */
  readonly seq: number
  /** What can read the text: another version of Loadout may fold another state of the same entries. */
  readonly format: string
  readonly text: string
}

/**
 * A cache of folded states beside a log, which spares reading a long session from its beginning.
 *
 * It may lose anything at any time, and is never believed over the log: who takes a text looks
 * whether it is whole and belongs to the entries that are there. What it holds of a session goes
 * when the session is deleted.
 */
export interface SnapshotStore {
  /** Keep a snapshot, in the place of one for the same entry. */
  put(session: string, snapshot: StoredSnapshot): Promise<void>
  /** The latest of a format that ends with `atMost` or before; with the latest when it is absent. */
  latest(session: string, format: string, atMost?: number): Promise<StoredSnapshot | undefined>
}

/**
 * What an acknowledged append of a log on disk survives: `os` the end of the process, `full` the
 * end of the machine too, since the bytes were forced to the disk.
 */
export type Durability = 'os' | 'full'

/** One append, and how many entries the log holds at this moment. */
interface AppendCheck {
  readonly session: string
  readonly expected: number
  readonly found: number
  readonly entries: readonly Entry[]
}

/**
 * What every event log checks before it takes entries: that they follow what it holds, and that it can
 * give them back. Throws `LOG_CONFLICT` when somebody else was first, `LOG_SEQUENCE` when the entries'
 * own numbers do not continue the log, `LOG_NOT_AN_ENTRY` when one has no time, as JSON has it.
 */
export function checkAppend({ session, expected, found, entries }: AppendCheck): void {
  if (expected !== found) throw appendConflict(session, expected, found)
  const timeless = entries.find(({ at }) => !Number.isFinite(at))
  if (timeless !== undefined) throw notAnEntry(session, timeless.seq)
  const wrong = entries.findIndex(({ seq }, index) => seq !== expected + index)
  if (wrong === -1) return
  const next = expected + wrong
  throw new WorkspaceError(
    'LOG_SEQUENCE',
    `Session "${session}" goes on with entry ${next}, not with entry ${entries[wrong]?.seq}.`,
    {
      facts: { session, expected: next, found: entries[wrong]?.seq },
      hint: 'Number entries from the version the append expects, without gaps.',
    },
  )
}

/** The same of the entry before them: the hash of the one the caller knows, and of the one the log has. */
export function checkFollows(
  session: string,
  expected: number,
  after: ContentHash | undefined,
  last: () => ContentHash | undefined,
): void {
  if (after !== undefined && after !== last()) throw appendConflict(session, expected, expected)
}

/** A log that took it would be damaged from there on: `readEntry` does not take it for an entry. */
function notAnEntry(session: string, seq: number): WorkspaceError {
  return new WorkspaceError(
    'LOG_NOT_AN_ENTRY',
    `Entry ${seq} of session "${session}" has no time.`,
    {
      facts: { session, seq },
      hint: 'Give the wall clock in milliseconds since 1970. A clock of your own must return a number.',
    },
  )
}

function appendConflict(session: string, expected: number, found: number): WorkspaceError {
  return new WorkspaceError('LOG_CONFLICT', `Session "${session}" has moved on.`, {
    facts: { session, expected, found },
    hint: 'Read what was appended, and decide again.',
  })
}

/**
 * A log's own copy of entries, to be made the moment they are given: what the caller does to them while
 * the append waits for its turn is not written. Throws for what is no JSON.
 */
export function copyEntries(given: readonly Entry[]): readonly Entry[] {
  return JSON.parse(JSON.stringify(given)) as readonly Entry[]
}

/** Who follows which session of a log. */
export class Followers {
  readonly #listeners = new Map<string, Set<() => void>>()

  /** Gives back what ends it. */
  follow(session: string, listener: () => void): () => void {
    const told = () => listener()
    const all = this.#listeners.get(session) ?? new Set()
    this.#listeners.set(session, all.add(told))
    return () => {
      all.delete(told)
      if (all.size === 0 && this.#listeners.get(session) === all) this.#listeners.delete(session)
    }
  }

  get sessions(): readonly string[] {
    return [...this.#listeners.keys()]
  }

  tell(session: string): void {
    for (const listener of this.#listeners.get(session) ?? []) listener()
  }

  clear(): void {
    this.#listeners.clear()
  }
}
