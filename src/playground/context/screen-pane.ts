import type { ReactElement } from 'react'
import type { PlaygroundContext } from './playground-context.ts'
import type { UiState } from './ui-state.ts'
import type { Theme } from '../../render/ink/parts/theme.ts'

/** What a pane gets to draw itself in. */
export interface ScreenPaneProps {
  readonly context: PlaygroundContext
  readonly focused: boolean
  /** Columns and rows inside the border. */
  readonly width: number
  readonly height: number
  readonly theme: Theme
}

/** One pane of the screen. The screen knows none by name: `panes.ts` lists them in order. */
export interface ScreenPane {
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
  View(props: ScreenPaneProps): ReactElement
}

/**
 * One thing a person can do: the one source of the key handlers, the help and the palette.
 * Keys are written as `strokes-of.ts` names them: `j`, `space`, `enter`, `ctrl+c`, `shift+tab`.
 */
export interface Action {
  /** `skills.equip`, `screen.quit`. */
  readonly id: string
  /** As an order, for help and palette: "Equip or put away". */
  readonly title: string
  readonly keys: readonly string[]
  /** Whether it makes sense now; always when absent. */
  when?(context: PlaygroundContext): boolean
  run(context: PlaygroundContext): void | Promise<void>
}

/** The pane that has the keys; the first one when none of that id is there. */
export function focusedPane(
  panes: readonly ScreenPane[],
  { focus }: Pick<UiState, 'focus'>,
): ScreenPane {
  const [first] = panes
  const pane = panes.find(({ id }) => id === focus) ?? first
  if (pane === undefined) throw new TypeError('A screen needs a pane.')
  return pane
}

/** The state with the keys given to the pane so many places on, around the end. */
export function cycleFocus(state: UiState, panes: readonly ScreenPane[], by: number): UiState {
  const at = panes.indexOf(focusedPane(panes, state))
  const next = panes.at((at + by) % panes.length)
  return next === undefined ? state : focusPane(state, next.id)
}

/** The state with the keys given to a pane; typing a filter ends. */
export function focusPane(state: UiState, focus: string): UiState {
  return { ...state, focus, filtering: false }
}
