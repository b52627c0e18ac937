import { evolve } from './evolve.ts'
import type { Entry } from '../model/event.ts'
import { EMPTY_STATE, type WorkspaceState } from '../model/state.ts'

/** The state after some entries, from the empty one or from a state that has those before. */
export function fold(entries: Iterable<Entry>, from: WorkspaceState = EMPTY_STATE): WorkspaceState {
  let state = from
  for (const entry of entries) state = evolve(state, entry)
  return state
}
