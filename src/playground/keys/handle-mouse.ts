import type { RowHits } from '../../render/ink/parts/row-hits.ts'
import { changePane } from '../context/change-pane.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { handleStrokes } from './handle-strokes.ts'
import { focusedPane, focusPane } from '../context/focus.ts'
import type { KeyTable } from '../context/key-table.ts'
import { layoutOf, type PaneArea } from '../context/layout.ts'
import type { MouseEvent } from '../terminal/mouse-event.ts'

/** Rows one notch of the wheel moves. */
const NOTCH = 3

/**
 * Do what the mouse means: the wheel is the keys up and down in the pane under it or the open
 * dialog, a click gives a pane the keys and takes the row under it.
 */
export function handleMouse(
  event: MouseEvent,
  context: PlaygroundContext,
  table: KeyTable,
  hits: RowHits,
): void {
  const { ui } = context
  const hit = ui.getState().dialog === null ? paneUnder(event, context, table) : undefined
  const pane = hit === undefined ? undefined : table.panes[hit.index]
  if (ui.getState().dialog === null && pane === undefined) return
  // Asked before the keys go elsewhere: that may move the panes.
  const row = event.type === 'click' ? hits.rowAt(event) : null
  if (pane !== undefined) ui.setState((state) => focusPane(state, pane.id))
  if (event.type !== 'click') {
    const stroke = event.type === 'wheel-up' ? 'up' : 'down'
    void handleStrokes(
      Array.from({ length: NOTCH }, () => stroke),
      context,
      table,
    )
  } else if (pane !== undefined && row !== null && pane.rows(context).includes(row)) {
    ui.setState((state) => changePane(state, pane.id, { selected: row }))
  }
}

function paneUnder(
  { column, row }: MouseEvent,
  { ui }: PlaygroundContext,
  { panes }: KeyTable,
): PaneArea | undefined {
  const state = ui.getState()
  const layout = layoutOf(state.size, panes.length, panes.indexOf(focusedPane(panes, state)))
  return layout?.panes.find(
    ({ left, top, width, height }) =>
      column >= left && column < left + width && row >= top && row < top + height,
  )
}
