import type { UiState } from './ui-state.ts'
import type { Pane } from './pane.ts'

/** The pane that has the keys; the first one when none of that id is there. */
export function focusedPane(panes: readonly Pane[], { focus }: Pick<UiState, 'focus'>): Pane {
  const [first] = panes
  const pane = panes.find(({ id }) => id === focus) ?? first
  if (pane === undefined) throw new TypeError('A screen needs a pane.')
  return pane
}

/** The state with the keys given to the pane so many places on, around the end. */
export function cycleFocus(state: UiState, panes: readonly Pane[], by: number): UiState {
  const at = panes.indexOf(focusedPane(panes, state))
  const next = panes.at((at + by) % panes.length)
  return next === undefined ? state : focusPane(state, next.id)
}

/** The state with the keys given to a pane; typing a filter ends. */
export function focusPane(state: UiState, focus: string): UiState {
  return { ...state, focus, filtering: false }
}
