import type { ReactElement } from 'react'
import type { Theme } from '../../render/ink/parts/theme.ts'
import type { PlaygroundContext } from './playground-context.ts'
import type { Action } from './action.ts'

/** What a pane gets to draw itself in. */
export interface PaneProps {
  readonly context: PlaygroundContext
  readonly focused: boolean
  /** Columns and rows inside the border. */
  readonly width: number
  readonly height: number
  readonly theme: Theme
}

/** One pane of the screen. The screen knows none by name: `panes.ts` lists them in order. */
export interface Pane {
  readonly id: string
  readonly title: string
  /** Actions that its keys mean while it has the focus. */
  readonly actions: readonly Action[]
  /** Ids of its rows now, in order, for moving the cursor; empty for a pane without a cursor. */
  rows(context: PlaygroundContext): readonly string[]
  /** The row the cursor goes to as a filter is typed; it stays where it was when absent. */
  found?(context: PlaygroundContext): string | null
  /** One line for the border, such as a count or the filter. */
  status(context: PlaygroundContext): string
  View(props: PaneProps): ReactElement
}
