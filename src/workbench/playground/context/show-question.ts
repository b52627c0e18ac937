import { changePane, type UiState } from './ui-state.ts'

/** The id of the pane with the questions and the changes on disk. */
export const WAITING = 'waiting'

/** Moves the focus to the questions, and the cursor to one of them. */
export function showQuestion(state: UiState, id: string): UiState {
  const focused = { ...state, focus: WAITING, list: WAITING, filtering: false, writing: null }
  return changePane(focused, WAITING, { selected: id })
}
