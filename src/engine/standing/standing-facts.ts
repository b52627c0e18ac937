import { spentBudgets } from './call-budget.ts'
import type { WorkspaceState } from '../model/state.ts'

/**
 * Everything of a state that the standing of tools follows from; what is derived from it is worked out
 * anew when one of these is not the same. A call changes none of them, but for the first of a
 * turn and one that spends something.
 */
export function standingFacts(state: WorkspaceState): readonly unknown[] {
  const { open, disabled, broken, policy, turn, approvals, pins } = state
  return [open, disabled, broken, policy, turn, approvals, pins, spentBudgets(state)]
}
