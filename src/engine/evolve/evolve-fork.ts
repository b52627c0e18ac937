import type { ForkEvent } from '../model/fork-event.ts'
import type { WorkspaceState } from '../model/state.ts'

/**
 * A fork has what its origin had, but for what may come about only once: an approval that was given
 * for the session, and intents that wait, are the origin's.
 */
export function evolveFork(state: WorkspaceState, { session, from }: ForkEvent): WorkspaceState {
  const { opening } = state
  return {
    ...state,
    opening: opening === null ? null : { ...opening, session },
    forkedFrom: from,
    approvals: state.approvals.filter(({ scope }) => scope !== 'session'),
    intents: [],
  }
}
