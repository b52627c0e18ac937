import type { ReactElement } from 'react'
import type { Theme } from '../../render/ink/parts/theme.ts'
import type { Dialog, DialogOf } from './dialog.ts'
import type { PlaygroundContext } from './playground-context.ts'
import type { Action } from './action.ts'

/** What a dialog gets to draw itself in. */
export interface DialogProps<Kind extends Dialog['kind'] = Dialog['kind']> {
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
