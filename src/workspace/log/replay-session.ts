import type { Entry } from '../../engine/model/workspace-event.ts'
import { evolve } from '../../engine/evolve/evolve.ts'
import { EMPTY_STATE, type WorkspaceState } from '../../engine/model/workspace-state.ts'
import { checkKind } from '../../kernel/check-options.ts'
import { hasMembers } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { unknownEntry } from './session-replaced.ts'
import { readEntry } from './stored-entry.ts'

/** A replayed session, with every state it had. */
export interface Replay {
  /** In the current format. */
  readonly entries: readonly Entry[]
  /** Returns the state after an entry, or after the last one. Throws `ENTRY_UNKNOWN`. */
  stateAt(seq?: number): WorkspaceState
}

/** The entries between two states that are kept in memory. Folding that many takes no noticeable time. */
const STRIDE = 256

/**
 * Replays a session from its entries, in any format: from a log, or parsed from JSON. It runs no hook
 * and no handler, and reads neither a clock nor random numbers. The states are the same on any machine
 * and at any time.
 *
 * Throws `LOG_DAMAGED` for a value that is not the next entry, `LOG_FORMAT` and `LOG_UNKNOWN_EVENT`.
 */
export function replaySession(given: Iterable<unknown>): Replay {
  checkKind(given, 'entries', 'iterable')
  const entries: Entry[] = []
  const kept: WorkspaceState[] = []
  let state = EMPTY_STATE
  // The format of a session whose entries have none of their own: its opening has it.
  let format: unknown
  for (const value of given) {
    const seq = entries.length
    const members = hasMembers(value) ? value : {}
    const { event } = members
    format ??= (hasMembers(event) ? event['format'] : undefined) ?? 1
    const entry = readEntry('format' in members ? value : { ...members, format }, seq)
    if (entry === undefined) {
      const message = `The value at the place of entry ${seq} is not that entry.`
      throw new WorkspaceError('LOG_DAMAGED', message, {
        facts: { seq, lastGoodSeq: seq - 1 },
        hint: 'Give the entries of one session in order, beginning with its opening.',
      })
    }
    state = evolve(state, entry)
    if (seq % STRIDE === 0) kept.push(state)
    entries.push(entry)
  }

  const stateAt = (seq = entries.length - 1): WorkspaceState => {
    const start = Math.floor(seq / STRIDE)
    const from = kept[start]
    if (seq === entries.length - 1) return state
    if (from === undefined || entries[seq] === undefined)
      throw unknownEntry(undefined, seq, entries.length)
    return entries.slice(start * STRIDE + 1, seq + 1).reduce(evolve, from)
  }
  return { entries, stateAt }
}
