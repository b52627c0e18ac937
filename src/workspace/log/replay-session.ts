import type { Entry } from '../../engine/model/workspace-event.ts'
import { evolve } from '../../engine/evolve/evolve.ts'
import { EMPTY_STATE, type WorkspaceState } from '../../engine/model/workspace-state.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { readEntry } from './stored-entry.ts'

/** A session that is played again: every state it had. */
export interface Replay {
  /** In the form of this version. */
  readonly entries: readonly Entry[]
  /** The state after an entry; after the last one when it is not named. Throws `ENTRY_UNKNOWN`. */
  stateAt(seq?: number): WorkspaceState
}

/** Folding so many entries is not felt. */
const STRIDE = 256

/**
 * Play a session again from its entries, of whatever format: those of a log, or JSON that somebody
 * wrote of them. It runs no hook and no handler, and reads no clock and no dice: what time did is in
 * the entries, so the states are the same on another machine, in another year.
 *
 * Throws `LOG_DAMAGED` for what is no entry, or not the next one, `LOG_FORMAT` and `LOG_UNKNOWN_EVENT`.
 */
export function replaySession(given: Iterable<unknown>): Replay {
  const entries: Entry[] = []
  const kept: WorkspaceState[] = []
  let state = EMPTY_STATE
  let format: unknown
  for (const value of given) {
    const seq = entries.length
    format ??= formatOf(value)
    const entry = readEntry(withFormat(value, format), seq)
    if (entry === undefined) throw noEntry(seq)
    state = evolve(state, entry)
    if (seq % STRIDE === 0) kept.push(state)
    entries.push(entry)
  }

  const stateAt = (seq = entries.length - 1): WorkspaceState => {
    const start = Math.floor(seq / STRIDE)
    const from = kept[start]
    if (seq === entries.length - 1) return state
    if (from === undefined || entries[seq] === undefined) throw unknownEntry(seq, entries.length)
    return entries.slice(start * STRIDE + 1, seq + 1).reduce(evolve, from)
  }
  return { entries, stateAt }
}

/** Entries that a workspace gave out say their format by their opening; stored ones say it themselves. */
function formatOf(value: unknown): unknown {
  const { event } = membersOf(value)
  return membersOf(event)['format'] ?? 1
}

function withFormat(value: unknown, format: unknown): unknown {
  return 'format' in membersOf(value) ? value : { ...membersOf(value), format }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function noEntry(seq: number): WorkspaceError {
  return new WorkspaceError('LOG_DAMAGED', `What should be entry ${seq} is none.`, {
    facts: { seq, lastGoodSeq: seq - 1 },
    hint: 'Give the entries of one session in their order, from the opening on.',
  })
}

function unknownEntry(at: number, entries: number): WorkspaceError {
  return new WorkspaceError('ENTRY_UNKNOWN', `The session has no entry ${at}.`, {
    hint: entries === 0 ? 'It has none.' : `Its entries are 0 to ${entries - 1}.`,
    facts: { at, entries },
  })
}
