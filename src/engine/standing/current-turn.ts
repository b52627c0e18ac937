import type { WorkspaceState } from '../model/state.ts'

/**
 * The turn that what happens now counts from. What comes before the first message (initial skills)
 * belongs to the first turn, or it would last a turn less than it says.
 */
export function currentTurn({ turn }: Pick<WorkspaceState, 'turn'>): number {
  return Math.max(1, turn)
}
