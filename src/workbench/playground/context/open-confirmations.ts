import type { WorkspaceState } from '../../../entries/index.ts'
import type { PendingConfirmation } from '../../../entries/kit.ts'
import { changePane, type UiState } from './ui-state.ts'

/** The id of the pane with the questions and the changes on disk. */
export const WAITING = 'waiting'

/** Returns the confirmations that nobody has answered, the oldest first. */
export function openConfirmations({
  confirmations,
}: Pick<WorkspaceState, 'confirmations'>): readonly PendingConfirmation[] {
  return confirmations.filter(({ consent }) => consent === 'pending')
}

/** Moves the focus to the questions, and the cursor to one of them. */
export function showQuestion(state: UiState, id: string): UiState {
  const focused = { ...state, focus: WAITING, list: WAITING, filtering: false, writing: null }
  return changePane(focused, WAITING, { selected: id })
}
