import type { Entry } from '../../engine/model/event.ts'
import { fold } from '../../engine/evolve/fold.ts'
import { EMPTY_STATE, type WorkspaceState } from '../../engine/model/state.ts'
import type { EventLog } from './ports.ts'
import { readSnapshot } from './snapshot-text.ts'
import { STATE_FORMAT } from './state-format.ts'

/** A session as it is folded from its log. */
export interface FoldedSession {
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
export async function readFolded(
  log: EventLog,
  session: string,
  at?: number,
): Promise<FoldedSession> {
  // Whatever ails the cache, the log has all of it.
  const stored = await log.snapshots?.latest(session, STATE_FORMAT, at).catch(() => undefined)
  if (stored !== undefined) {
    const [first, ...entries] = await log.read(session, stored.seq, at)
    const from = first === undefined ? null : readSnapshot(stored, first)
    if (from !== null) {
      return { state: fold(entries, from), from, entries, last: entries.at(-1) ?? first }
    }
  }
  const entries = await log.read(session, 0, at)
  return { state: fold(entries), from: EMPTY_STATE, entries, last: entries.at(-1) }
}
