import { fold } from '../../engine/evolve/evolve.ts'
import { type Entry, LOG_FORMAT } from '../../engine/model/workspace-event.ts'
import { EMPTY_STATE, type WorkspaceState } from '../../engine/model/workspace-state.ts'
import { contentHash, textHash } from '../../kernel/content-hash.ts'
import { deepFreeze } from '../../kernel/json-value.ts'
import { tryOrUndefined } from '../../kernel/thrown-message.ts'
import type { EventLog, LoadedSession, StoredSnapshot } from './event-log.ts'
import { entryHash } from './stored-entry.ts'

/**
 * Reads a session up to and including entry `at`, or to its end: from its latest valid snapshot, or from
 * its beginning without one. The state is the same in both cases.
 */
export async function readFromSnapshot(
  log: EventLog,
  session: string,
  at?: number,
): Promise<{
  readonly state: WorkspaceState
  /** The state of the snapshot it was folded from; the empty state without a snapshot. */
  readonly from: WorkspaceState
  /** The entries after that state, which were read. */
  readonly entries: readonly Entry[]
  /** The last entry of the state; undefined for a session that the log does not have. */
  readonly last: Entry | undefined
}> {
  const { snapshot, entries: tail } = await loadTail(log, session, at)
  if (snapshot !== undefined) {
    const [first, ...entries] = tail ?? (await log.read(session, snapshot.seq, at))
    const from = first === undefined ? null : readSnapshot(snapshot, first)
    if (from !== null) {
      return { state: fold(entries, from), from, entries, last: entries.at(-1) ?? first }
    }
  }
  const all = snapshot === undefined ? tail : undefined
  const entries = all ?? (await log.read(session, 0, at))
  return { state: fold(entries), from: EMPTY_STATE, entries, last: entries.at(-1) }
}

/** Returns the latest snapshot, with the entries from its last one on if the log reads both at once. */
async function loadTail(
  log: EventLog,
  session: string,
  at: number | undefined,
): Promise<Partial<LoadedSession>> {
  // The log has every entry, so a cache that fails is as good as none.
  if (at === undefined && log.load) return log.load(session, STATE_FORMAT).catch(() => ({}))
  const latest = log.snapshots?.latest(session, STATE_FORMAT, at)
  const snapshot = await latest?.catch(() => undefined)
  return snapshot === undefined ? {} : { snapshot }
}

/** Writes a state and the hash of its last entry as text, with a checksum over both. */
export function writeSnapshot(state: WorkspaceState, last: Entry): StoredSnapshot {
  const body = `${entryHash(last)}\n${JSON.stringify(state)}`
  return { seq: state.seq, format: STATE_FORMAT, text: `${textHash(body)}\n${body}` }
}

/**
 * Returns the state of a snapshot; null when it is damaged, or does not end with this entry of the log.
 * It is frozen, like the states of components.
 */
export function readSnapshot({ seq, text }: StoredSnapshot, last: Entry): WorkspaceState | null {
  const [sum = '', hash = ''] = text.split('\n', 2)
  const body = text.slice(sum.length + 1)
  if (last.seq !== seq || hash !== entryHash(last) || sum !== textHash(body)) return null
  // A checksum is no signature: the text may still not be JSON.
  const state = tryOrUndefined((): unknown => JSON.parse(body.slice(hash.length + 1)))
  return isState(state) && state.seq === seq ? deepFreeze(state) : null
}

function isState(value: unknown): value is WorkspaceState {
  if (typeof value !== 'object' || value === null) return false
  return Object.keys(EMPTY_STATE).every((member) => Object.hasOwn(value, member))
}

/**
 * Raise this whenever the same entries fold to a different state with the same members. Otherwise a
 * snapshot of the earlier version would be accepted. A test folds recorded sessions and fails when this
 * is due.
 */
const FOLD_VERSION = 8

/**
 * The format of the snapshots that this version reads and writes. It follows from the format of
 * entries, the members of a state, and the version of the fold.
 */
export const STATE_FORMAT = `${LOG_FORMAT}.${FOLD_VERSION}.${contentHash(EMPTY_STATE).slice(7, 15)}`
