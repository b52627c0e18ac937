import type { ReactElement } from 'react'
import type { Theme } from '../../../entries/ink-views.ts'
import type { PlaygroundContext } from './playground-context.ts'
import type { Action, ScreenPane } from './screen-pane.ts'
import type { Dialog, DialogOf } from './ui-state.ts'

/** Actions whose keys apply in the same situation. Within a scope a key has one meaning. */
export interface KeyScope {
  /** Id of a pane, kind of a dialog, or `always`, `screen`, `filter`. */
  readonly id: string
  /** The heading in the help. */
  readonly title: string
  readonly actions: readonly Action[]
}

/** The meaning of every key; key handlers, help and palette all read it. */
export interface KeyTable {
  readonly panes: readonly ScreenPane[]
  readonly dialogs: ReadonlyMap<Dialog['kind'], DialogKind>
  readonly scopes: readonly KeyScope[]
}

/** Returns the actions of a scope; an empty list for an unknown one. */
export function scopeActions({ scopes }: KeyTable, scope: string): readonly Action[] {
  return scopes.find(({ id }) => id === scope)?.actions ?? []
}

/**
 * One kind of dialog: its keys and its view. While it is open, it alone receives keys. Esc closes it,
 * unless one of its actions uses that key and applies now.
 */
export interface DialogKind<Kind extends Dialog['kind'] = Dialog['kind']> {
  readonly kind: Kind
  /** The title in its border. */
  title(dialog: DialogOf<Kind>): string
  readonly actions: readonly Action[]
  /** True for a dialog that leaves the lists visible, where there is room for both. */
  readonly isBesideLists?: boolean
  /** Rows it needs inside the border; all rows when absent. */
  readonly rows?: number
  /** Receives typed or pasted text; absent in a dialog without a text field. */
  type?(context: PlaygroundContext, text: string): void
  /** Returns false while keys are no letters of its text field; it always has the letters when absent. */
  isTyping?(dialog: DialogOf<Kind>): boolean
  View(props: {
    readonly dialog: DialogOf<Kind>
    readonly context: PlaygroundContext
    /** Columns and rows inside the border. */
    readonly width: number
    readonly height: number
    readonly theme: Theme
  }): ReactElement
}

/** Returns true while letters go into the text field of a dialog. */
export function isTyping({ dialogs }: Pick<KeyTable, 'dialogs'>, dialog: Dialog): boolean {
  const kind = dialogs.get(dialog.kind)
  return kind?.type !== undefined && (kind.isTyping?.(dialog) ?? true)
}

/** Any kind of dialog. */
export type AnyDialogKind = {
  readonly [Kind in Dialog['kind']]: DialogKind<Kind>
}[Dialog['kind']]
