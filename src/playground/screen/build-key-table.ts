import { helpDialog } from '../dialogs/help-dialog.tsx'
import { paletteDialog } from '../dialogs/palette-dialog.tsx'
import { filterActions } from '../keys/filter-actions.ts'
import { globalActions } from '../keys/global-actions.ts'
import { standingActions } from '../keys/standing-actions.ts'
import type { AnyDialogKind, DialogKind } from '../context/dialog-kind.ts'
import type { KeyTable } from '../context/key-table.ts'
import type { Pane } from '../context/pane.ts'

/** Put the table together from the panes of a screen, in order, and its dialogs. */
export function buildKeyTable(panes: readonly Pane[], dialogs: readonly AnyDialogKind[]): KeyTable {
  const kinds: readonly AnyDialogKind[] = [
    helpDialog(() => table),
    paletteDialog(() => table),
    ...dialogs,
  ]
  const table: KeyTable = {
    panes,
    dialogs: new Map(kinds.map((one) => [one.kind, one as DialogKind])),
    scopes: [
      { id: 'always', title: 'Always', actions: standingActions },
      { id: 'screen', title: 'Everywhere', actions: globalActions(panes) },
      ...panes.map(({ id, title, actions }) => ({ id, title, actions })),
      { id: 'filter', title: 'While a filter is typed', actions: filterActions(panes) },
      ...kinds.map(({ kind, actions }) => ({ id: kind, title: `Dialog: ${kind}`, actions })),
    ],
  }
  return table
}
