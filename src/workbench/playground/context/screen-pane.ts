import type { ReactElement } from 'react'
import type { Theme } from '../../../entries/ink-views.ts'
import type { FilePlace } from '../../../entries/kit.ts'
import type { PlaygroundContext } from './playground-context.ts'
import type { UiState } from './ui-state.ts'

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
  /** The key that focuses it, shown before its title. */
  readonly key: string
  /** A list at the left, the lane at the lower right, or a tab at the upper right. */
  readonly place: 'list' | 'lane' | 'tab'
  /** Id of the tab that is shown next to a list or lane at first. */
  readonly opens?: string
  /** The actions of its keys while it has the focus. */
  readonly actions: readonly Action[]
  /** Ids of its current rows, in order, for the cursor; empty for a pane without a cursor. */
  rows(context: PlaygroundContext): readonly string[]
  /** The rows that a tab needs to hide nothing; absent for one that takes what there is. */
  needs?(context: PlaygroundContext): number
  /** The row to which the cursor moves while a filter is typed; without it the cursor stays. */
  found?(context: PlaygroundContext): string | null
  /** A short text for the border, such as a count or the filter. */
  status(context: PlaygroundContext): string
  /** Ids of all its rows that have a name, also those that a filter hides; the palette finds them. */
  names?(context: PlaygroundContext): readonly string[]
  /** Describes the row under the cursor; null without one. Absent for a pane whose rows do not open. */
  about?(context: PlaygroundContext): Description | null
  View(props: ScreenPaneProps): ReactElement
}

/** The description of a row. */
export interface Description {
  readonly title: string
  readonly lines: readonly string[]
  /** The name or the entry that a question of why is about; absent for none. */
  readonly asks?: string
  /** Writes the bytes that are sent; absent where that is not known. */
  sent?(): readonly string[]
  /** The place of the rule or file that it is about. */
  readonly place?: FilePlace | undefined
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
  /** One or two words for the footer, if the title has more. */
  readonly verb?: string
  readonly keys: readonly string[]
  /** Returns true when it applies now; it always does when absent. */
  when?(context: PlaygroundContext): boolean
  /** Returns the reason why it cannot do what its title says; null when it can. The footer leaves it out then. */
  whyNot?(context: PlaygroundContext): string | null
  run(context: PlaygroundContext): void | Promise<void>
}

/** Returns the title in the border: the key that focuses the pane, and its name. */
export function paneTitle({ key, title }: Pick<ScreenPane, 'key' | 'title'>): string {
  return `${key} ${title}`
}

type Focus = Pick<UiState, 'focus' | 'list' | 'tabs'>

/** Returns the pane with the focus; the first one when the id is unknown. */
export function focusedPane(
  panes: readonly ScreenPane[],
  { focus }: Pick<Focus, 'focus'>,
): ScreenPane {
  const [first] = panes
  const pane = panes.find(({ id }) => id === focus) ?? first
  if (pane === undefined) throw new TypeError('A screen needs a pane.')
  return pane
}

/** Returns the tab that is shown: each list and lane has its own. */
export function shownTab(panes: readonly ScreenPane[], state: Focus): ScreenPane | undefined {
  const { list, tabs } = state
  const tab = tabs[list] ?? panes.find(({ id }) => id === list)?.opens
  const all = panes.filter(({ place }) => place === 'tab')
  return all.find(({ id }) => id === tab) ?? all[0]
}

/** Moves the focus to a pane, and ends typing a filter. A tab is from then on the one next to its list. */
export function focusPane(state: UiState, panes: readonly ScreenPane[], focus: string): UiState {
  const isTab = panes.some(({ id, place }) => id === focus && place === 'tab')
  const moved = { ...state, focus, opened: null, filtering: false, writing: null }
  return isTab ? showTab(moved, focus) : { ...moved, list: focus }
}

/** Shows a tab next to the current list; the focus stays. */
export function showTab(state: UiState, tab: string): UiState {
  return { ...state, tabs: { ...state.tabs, [state.list]: tab } }
}

/** Moves the focus by `by` panes, around the end: the lists, the tab that is shown, the lane. */
export function cycleFocus(state: UiState, panes: readonly ScreenPane[], by: number): UiState {
  const tab = shownTab(panes, state)
  const inOrder = ['list', 'tab', 'lane'].flatMap((wanted) =>
    panes.filter((pane) => pane.place === wanted && (wanted !== 'tab' || pane === tab)),
  )
  const at = inOrder.indexOf(focusedPane(panes, state))
  const next = inOrder.at((at + by) % inOrder.length)
  return next === undefined ? state : focusPane(state, panes, next.id)
}

/** Shows the next tab, around the end. A tab with the focus passes it on. */
export function cycleTab(state: UiState, panes: readonly ScreenPane[], by: number): UiState {
  const tabs = panes.filter(({ place }) => place === 'tab')
  const shown = shownTab(panes, state)
  const next = shown === undefined ? undefined : tabs.at((tabs.indexOf(shown) + by) % tabs.length)
  if (next === undefined) return state
  return state.focus === shown?.id ? focusPane(state, panes, next.id) : showTab(state, next.id)
}
