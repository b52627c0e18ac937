import type { ReactElement } from 'react'
import type { Theme } from '../render/ink/theme.ts'
import type { Action } from './action.ts'
import type { PlaygroundContext } from './playground-context.ts'
import type { Dialog } from './ui-state.ts'

export type DialogKind = Dialog['kind']

export type DialogOf<Kind extends DialogKind> = Extract<Dialog, { readonly kind: Kind }>

/** What a dialog gets to draw itself in. */
export interface DialogProps<Kind extends DialogKind> {
  readonly dialog: DialogOf<Kind>
  readonly context: PlaygroundContext
  /** Columns and rows inside the border. */
  readonly width: number
  readonly height: number
  readonly theme: Theme
}

/** One kind of dialog. While it is open it has all keys but those that hold everywhere. */
export interface DialogModule<Kind extends DialogKind = DialogKind> {
  readonly kind: Kind
  /** For help, and for the border where `heading` gives nothing better. */
  readonly title: string
  heading?(dialog: DialogOf<Kind>): string
  /** `esc` closes a dialog that gives it no other meaning. */
  readonly actions: readonly Action[]
  /** Take what is typed or pasted, without control characters; only a text field does. */
  type?(text: string, context: PlaygroundContext): void
  View(props: DialogProps<Kind>): ReactElement
}
