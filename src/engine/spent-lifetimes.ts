import { isSpent } from './lifetime-end.ts'
import type { WorkspaceState } from './state.ts'

/** Skills whose lifetime has ended and of whose calls none is running. */
export function spentLifetimes(state: WorkspaceState): readonly string[] {
  return state.open
    .filter(
      (one) =>
        one.source === 'skill' &&
        isSpent(one, state.turn) &&
        !state.calls.some(({ source, owner }) => source === 'skill' && owner === one.owner),
    )
    .map(({ owner }) => owner)
}
