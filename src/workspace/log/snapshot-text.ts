import type { Entry } from '../../engine/model/event.ts'
import { EMPTY_STATE, type WorkspaceState } from '../../engine/model/state.ts'
import { textHash } from '../../kernel/content-hash.ts'
import { deepFreeze } from '../../kernel/deep-freeze.ts'
import { entryHash } from './entry-hash.ts'
import type { StoredSnapshot } from './snapshot-store.ts'
import { STATE_FORMAT } from './state-format.ts'

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
  const state = parsed(body.slice(hash.length + 1))
  return isState(state) && state.seq === seq ? deepFreeze(state) : null
}

/** A checksum is no signature: whoever changed a text may have made it fit. */
function parsed(text: string): unknown {
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
