import type { Action } from './action.ts'
import type { AnyDialogKind, DialogKind } from './dialog-kind.ts'
import { helpDialog } from './dialogs/help-dialog.tsx'
import { paletteDialog } from './dialogs/palette-dialog.tsx'
import { filterActions } from './filter-actions.ts'
import { globalActions } from './global-actions.ts'
import type { Pane } from './pane.ts'
import { standingActions } from './standing-actions.ts'
import type { Dialog } from './ui-state.ts'

/** Actions whose keys hold under the same condition; in one scope a key has one meaning. */
export interface KeyScope {
  /** Id of a pane, kind of a dialog, or `always`, `screen`, `filter`. */
  readonly id: string
  /** When its keys hold, for help. */
  readonly title: string
  readonly actions: readonly Action[]
}

/** Everything keys can mean: what handlers, help and palette go by. */
export interface KeyTable {
  readonly panes: readonly Pane[]
  readonly dialogs: ReadonlyMap<Dialog['kind'], DialogKind>
  readonly scopes: readonly KeyScope[]
}

/** Put the table together from the panes of a screen, in order, and its dialogs. */
export function keyTable(panes: readonly Pane[], dialogs: readonly AnyDialogKind[]): KeyTable {
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

/** The actions of a scope; none for one that is not there. */
export function actionsOf({ scopes }: KeyTable, scope: string): readonly Action[] {
  return scopes.find(({ id }) => id === scope)?.actions ?? []
}
