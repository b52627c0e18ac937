import type { StoreApi } from 'zustand/vanilla'
import type { Banner } from './banner.ts'
import type { Dialog } from './dialog.ts'
import type { DiskChange } from './disk-change.ts'
import type { PaneState } from './pane-state.ts'

/** What only the screen cares about; the workspace has a store of its own. */
export interface UiState {
  /** Id of the pane that has the keys. */
  readonly focus: string
  readonly panes: Readonly<Record<string, PaneState>>
  /** True while keys go into the filter of the focused pane. */
  readonly filtering: boolean
  /** The entry whose moment is shown; null for now. */
  readonly moment: number | null
  /** Entries marked for a difference, at most two. */
  readonly marks: readonly number[]
  readonly dialog: Dialog | null
  readonly banner: Banner | null
  readonly changes: readonly DiskChange[]
  /** What is under way, such as `activating data-analysis`; null when nothing is. */
  readonly busy: string | null
  /** Of the whole screen. */
  readonly size: { readonly columns: number; readonly rows: number }
}

export type UiStore = StoreApi<UiState>
