import type { Standing } from './standing-of.ts'
import { EMPTY_STATE, type WorkspaceState } from '../model/state.ts'

/**
 * When a tool can be called: now, or when the next turn gives its calls back; null for one that
 * another turn does not help.
 *
 * @param standIn how the tool stands in a state
 */
export function whenCallable(
  state: WorkspaceState,
  standIn: (state: WorkspaceState) => Standing,
): 'now' | 'next-turn' | null {
  const { status } = standIn(state)
  if (status === 'available') return 'now'
  if (status !== 'budget-spent') return null
  const { callsThisTurn } = EMPTY_STATE
  return standIn({ ...state, callsThisTurn }).status === 'available' ? 'next-turn' : null
}
