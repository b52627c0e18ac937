import type { ReactElement } from 'react'
import type { PlaygroundContext } from './playground-context.ts'
import type { UiState } from './ui-state.ts'
import type { Theme } from '../../render/ink/parts/theme.ts'

/** The properties of a pane's view. */
export interface ScreenPaneProps {
  readonly context: PlaygroundContext
  readonly focused: boolean
  /** Columns and rows inside the border. */
  readonly width: number
  readonly height: number
  readonly theme: Theme
}

/** One pane of the screen. `panes.ts` lists them in order; the screen names none. */
export interface ScreenPane {
  readonly id: string
  readonly title: string
  /** The actions of its keys while it has the focus. */
  readonly actions: readonly Action[]
  /** Ids of its current rows, in order, for the cursor; empty for a pane without a cursor. */
  rows(context: PlaygroundContext): readonly string[]
  /** The row to which the cursor moves while a filter is typed; without it the cursor stays. */
  found?(context: PlaygroundContext): string | null
  /** A short text for the border, such as a count or the filter. */
  status(context: PlaygroundContext): string
  View(props: ScreenPaneProps): ReactElement
}

/**
 * Something a user can do. The only source of key handlers, help and palette. Keys are written as
 * `key-name.ts` names them: `j`, `space`, `enter`, `ctrl+c`, `shift+tab`.
 */
export interface Action {
  /** `skills.toggle`, `screen.quit`. */
  readonly id: string
  /** An imperative, for help and palette: "Activate or deactivate". */
  readonly title: string
  readonly keys: readonly string[]
  /** Returns true when it applies now; it always does when absent. */
  when?(context: PlaygroundContext): boolean
  run(context: PlaygroundContext): void | Promise<void>
}

/** Returns the pane with the focus; the first one when the id is unknown. */
export function focusedPane(
  panes: readonly ScreenPane[],
  { focus }: Pick<UiState, 'focus'>,
): ScreenPane {
  const [first] = panes
  const pane = panes.find(({ id }) => id === focus) ?? first
  if (pane === undefined) throw new TypeError('A screen needs a pane.')
  return pane
}

/** Moves the focus by `by` panes, around the end. */
export function cycleFocus(state: UiState, panes: readonly ScreenPane[], by: number): UiState {
  const at = panes.indexOf(focusedPane(panes, state))
  const next = panes.at((at + by) % panes.length)
  return next === undefined ? state : focusPane(state, next.id)
}

/** Moves the focus to a pane, and ends typing a filter. */
export function focusPane(state: UiState, focus: string): UiState {
  return { ...state, focus, filtering: false }
}
