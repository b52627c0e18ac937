import type { ReactElement } from 'react'
import type { PlaygroundContext } from './playground-context.ts'
import type { Action, ScreenPane } from './screen-pane.ts'
import type { Dialog, DialogOf } from './ui-state.ts'
import type { Theme } from '../../render/ink/parts/theme.ts'

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
  readonly panes: readonly ScreenPane[]
  readonly dialogs: ReadonlyMap<Dialog['kind'], DialogKind>
  readonly scopes: readonly KeyScope[]
}

/** The actions of a scope; none for one that is not there. */
export function actionsOf({ scopes }: KeyTable, scope: string): readonly Action[] {
  return scopes.find(({ id }) => id === scope)?.actions ?? []
}

/** What a dialog gets to draw itself in. */
interface DialogProps<Kind extends Dialog['kind'] = Dialog['kind']> {
  readonly dialog: DialogOf<Kind>
  readonly context: PlaygroundContext
  /** Columns and rows inside the border. */
  readonly width: number
  readonly height: number
  readonly theme: Theme
}

/**
 * One kind of dialog: what its keys mean and how it looks. While it is open it has the keys alone.
 * Esc closes it, unless one of its actions takes that key and makes sense now.
 */
export interface DialogKind<Kind extends Dialog['kind'] = Dialog['kind']> {
  readonly kind: Kind
  /** The line in its border. */
  title(dialog: DialogOf<Kind>): string
  readonly actions: readonly Action[]
  /** Rows it needs inside the border; as many as there are when absent. */
  readonly rows?: number
  /** Takes text that was typed or pasted; absent where there is no text field. */
  type?(context: PlaygroundContext, text: string): void
  View(props: DialogProps<Kind>): ReactElement
}

/** A kind of dialog, whichever. */
export type AnyDialogKind = {
  readonly [Kind in Dialog['kind']]: DialogKind<Kind>
}[Dialog['kind']]
