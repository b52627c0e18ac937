import { fold } from '../../engine/evolve/evolve.ts'
import { type Entry, LOG_FORMAT } from '../../engine/model/workspace-event.ts'
import { EMPTY_STATE, type WorkspaceState } from '../../engine/model/workspace-state.ts'
import { contentHash, textHash } from '../../kernel/content-hash.ts'
import { deepFreeze } from '../../kernel/json-value.ts'
import type { AnyLog, StoredSnapshot } from './event-log.ts'
import { type MaybeAsync, waitFor } from './maybe-async.ts'
import { entryHash } from './stored-entry.ts'

/** A session as it is folded from its log. */
interface FoldedSession {
  readonly state: WorkspaceState
  /** The state of the snapshot it was folded from; the empty one without a snapshot. */
  readonly from: WorkspaceState
  /** The entries after that, which were read. */
  readonly entries: readonly Entry[]
  /** The entry the state ends with; undefined for a session the log does not know. */
  readonly last: Entry | undefined
}

/**
 * Read a session up to and with entry `at`, the whole of it without one: from its latest snapshot
 * where there is one to be believed, else from its beginning. The state is the same in both cases.
 */
export function* readFromSnapshot(
  log: AnyLog,
  session: string,
  at?: number,
): MaybeAsync<FoldedSession> {
  const snapshots = 'snapshots' in log ? log.snapshots : undefined
  // The log has every entry, so a cache that fails is as good as none.
  const latest = snapshots?.latest(session, STATE_FORMAT, at).catch(() => undefined)
  const stored = yield* waitFor(latest)
  if (stored !== undefined) {
    const [first, ...entries] = yield* waitFor(log.read(session, stored.seq, at))
    const from = first === undefined ? null : readSnapshot(stored, first)
    if (from !== null) {
      return { state: fold(entries, from), from, entries, last: entries.at(-1) ?? first }
    }
  }
  const entries = yield* waitFor(log.read(session, 0, at))
  return { state: fold(entries), from: EMPTY_STATE, entries, last: entries.at(-1) }
}

/** A state with the entry it ends with, to be kept: text with a checksum over both. */
export function writeSnapshot(state: WorkspaceState, last: Entry): StoredSnapshot {
  const body = `${entryHash(last)}\n${JSON.stringify(state)}`
  return { seq: state.seq, format: STATE_FORMAT, text: `${textHash(body)}\n${body}` }
}

/**
 * The state of a snapshot; null for one that is damaged, or that does not end with this very entry
 * of the log. Frozen, as the states of components are.
 */
export function readSnapshot({ seq, text }: StoredSnapshot, last: Entry): WorkspaceState | null {
  const [sum = '', hash = ''] = text.split('\n', 2)
  const body = text.slice(sum.length + 1)
  if (last.seq !== seq || hash !== entryHash(last) || sum !== textHash(body)) return null
  const state = parsedState(body.slice(hash.length + 1))
  return isState(state) && state.seq === seq ? deepFreeze(state) : null
}

/** A checksum is no signature: whoever changed a text may have made it fit. */
function parsedState(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isState(value: unknown): value is WorkspaceState {
  if (typeof value !== 'object' || value === null) return false
  return Object.keys(EMPTY_STATE).every((member) => Object.hasOwn(value, member))
}

/**
 * Raised whenever the same entries fold to another state than before, though the state has the same
 * members: a snapshot of the version before would be believed otherwise. A test folds recorded
 * sessions and says when that is so.
 */
const FOLD_VERSION = 3

/**
 * What a snapshot has to say it is for this version to look at it: the format of entries, the members
 * of a state, and how it is folded.
 */
export const STATE_FORMAT = `${LOG_FORMAT}.${FOLD_VERSION}.${contentHash(EMPTY_STATE).slice(7, 15)}`
