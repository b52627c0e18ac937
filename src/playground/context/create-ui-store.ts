import { createStore } from 'zustand/vanilla'
import type { UiState, UiStore } from './ui-state.ts'

/** A screen nothing was done on yet: 80x24 until it is measured. */
const UNTOUCHED: Omit<UiState, 'focus'> = {
  panes: {},
  filtering: false,
  moment: null,
  marks: [],
  dialog: null,
  banner: null,
  changes: [],
  busy: null,
  size: { columns: 80, rows: 24 },
}

/** The store of one screen, its keys with one pane. */
export function createUiStore(focus: string): UiStore {
  return createStore<UiState>(() => ({ ...UNTOUCHED, focus }))
}
