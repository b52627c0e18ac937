import { paneState, type PaneState } from './pane-state.ts'
import type { UiState } from './ui-state.ts'

/** The state with some of a pane's fields changed; the same one when nothing changes. */
export function changePane(state: UiState, pane: string, change: Partial<PaneState>): UiState {
  const before = paneState(state, pane)
  const after = { ...before, ...change }
  const same = Object.entries(after).every(
    ([field, value]) => before[field as keyof PaneState] === value,
  )
  return same ? state : { ...state, panes: { ...state.panes, [pane]: after } }
}

/** The state with a section or group of a pane folded, or unfolded again. */
export function toggleFold(state: UiState, pane: string, id: string): UiState {
  const { folded } = paneState(state, pane)
  const others = folded.filter((one) => one !== id)
  const isFolded = others.length < folded.length
  return changePane(state, pane, { folded: isFolded ? others : [...folded, id] })
}
