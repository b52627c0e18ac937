import { isSpent } from './lifetime-end.ts'
import type { WorkspaceState } from '../model/state.ts'
import { sameOwner } from '../model/same-owner.ts'

/** Skills whose lifetime has ended and of whose calls, since they came, none is running. */
export function spentLifetimes(state: WorkspaceState): readonly string[] {
  return state.open
    .filter(
      (one) =>
        one.source === 'skill' &&
        isSpent(one, state.turn) &&
        !state.calls.some((call) => sameOwner(call, one) && call.since > one.since),
    )
    .map(({ owner }) => owner)
}
