import type { Dialog } from './dialog.ts'
import type { Action } from './action.ts'
import type { DialogKind } from './dialog-kind.ts'
import type { Pane } from './pane.ts'

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

/** The actions of a scope; none for one that is not there. */
export function actionsOf({ scopes }: KeyTable, scope: string): readonly Action[] {
  return scopes.find(({ id }) => id === scope)?.actions ?? []
}
