/** What is kept of a list or a text while its pane is not looked at. */
export interface PaneState {
  /** Id of the row the cursor is on; follows the id, not the row. */
  readonly selected: string | null
  /** What was typed after `/`; empty shows everything. */
  readonly filter: string
  /** Ids of folded sections or groups. */
  readonly folded: readonly string[]
  /** First line shown, of a pane that scrolls a text. */
  readonly scroll: number
  /** A way of looking the pane offers, such as `by-status` or `boxed`. */
  readonly mode: string
}

export const EMPTY_PANE: PaneState = { selected: null, filter: '', folded: [], scroll: 0, mode: '' }

/** What is kept of a pane; of one that was not touched yet, the beginning. */
export function paneState(
  { panes }: { readonly panes: Readonly<Record<string, PaneState>> },
  pane: string,
): PaneState {
  return panes[pane] ?? EMPTY_PANE
}
