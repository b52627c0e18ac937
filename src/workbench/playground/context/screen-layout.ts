import { identityMemo } from '../../../entries/kit.ts'
import type { PlaygroundContext } from './playground-context.ts'
import { focusedPane, type ScreenPane, shownTab } from './screen-pane.ts'
import type { UiState } from './ui-state.ts'

/** A rectangle of the screen in columns and rows, including borders. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A visible pane in its frame. */
export interface PaneArea extends Area {
  readonly pane: ScreenPane
  /** The panes that are named in the border, in order; `pane` is one of them. */
  readonly named: readonly ScreenPane[]
}

/**
 * The parts of the screen: a header line, the panes, the report of the last change, and a footer line.
 * All four keep their place, so nothing jumps.
 */
interface ScreenLayout {
  readonly panes: readonly PaneArea[]
  /** The area of all panes; dialogs are drawn over it. */
  readonly body: Area
  /** Lines for the report of the last change. */
  readonly reportRows: 1 | 2
}

const LOWEST_ROWS = 8

const LOWEST_COLUMNS = 24

/** Header and footer. */
const FRAME_ROWS = 2

/** Screens of at least this many rows have a second report line, with the names of tools. */
const ROWS_FOR_NAMES = 20

/** Screens of at least this many columns show the lists and the right side next to each other. */
const COLUMNS_FOR_BOTH = 100

/** Narrower screens show one pane. */
const COLUMNS_FOR_LISTS = 60

/** Lower bodies show one list at a time, or the tab without the lane. */
const ROWS_FOR_LISTS = 15

const ROWS_FOR_LANE = 14

/**
 * Divides a screen; null for one that is too small.
 *
 * Lists are at the left, one above the other, the tab and the lane at the right. Without room for both sides the
 * one with the focus is shown, without room for a side the pane with the focus.
 *
 * @param rowsIn returns the number of rows of a pane, so that none hides rows next to an empty one
 * @param longestName the columns of the longest name in the lists, which are as wide as it needs where there is room
 * @param oneAtATime show one pane only: a screen reader can read only one at a time
 */
export function screenLayout(
  { columns, rows }: { readonly columns: number; readonly rows: number },
  panes: readonly ScreenPane[],
  state: Pick<UiState, 'focus' | 'list' | 'tabs' | 'isFull'>,
  rowsIn: (pane: ScreenPane) => number,
  longestName = 0,
  oneAtATime = state.isFull,
): ScreenLayout | null {
  if (columns < LOWEST_COLUMNS || rows < LOWEST_ROWS) return null
  const reportRows = rows >= ROWS_FOR_NAMES ? 2 : 1
  const body = { left: 0, top: 1, width: columns, height: rows - FRAME_ROWS - reportRows }
  const focused = focusedPane(panes, state)
  const lists = panes.filter(({ place }) => place === 'list')
  const right = panes.filter(({ place }) => place !== 'list')
  const areas = (): readonly PaneArea[] => {
    if (oneAtATime || columns < COLUMNS_FOR_LISTS) return [{ ...body, pane: focused, named: panes }]
    const list = panes.find(({ id }) => id === state.list)
    const onLeft = (area: Area) =>
      leftSide(area, lists, list?.place === 'list' ? list : lists[0], rowsIn)
    const onRight = (area: Area) =>
      tabAndLane(area, right, shownTab(panes, state), focused.place === 'lane', rowsIn)
    if (columns < COLUMNS_FOR_BOTH || lists.length === 0 || right.length === 0) {
      return focused.place === 'list' ? onLeft(body) : onRight(body)
    }
    const least = Math.min(60, Math.max(38, Math.round(columns / 3)))
    const width = Math.max(least, Math.min(longestName + AROUND_NAME, columns - LEAST_RIGHT, 64))
    return [
      ...onLeft({ ...body, width }),
      ...onRight({ ...body, left: width, width: columns - width }),
    ]
  }
  return { body, reportRows, panes: areas() }
}

/** Divides the current screen of a playground; null for one that is too small. */
export function currentLayout(
  context: PlaygroundContext,
  panes: readonly ScreenPane[],
  size: UiState['size'] = context.ui.getState().size,
  oneAtATime = false,
): ScreenLayout | null {
  const state = context.ui.getState()
  const rowsIn = (pane: ScreenPane) =>
    pane.place === 'tab' ? (pane.needs?.(context) ?? Infinity) : pane.rows(context).length
  const name = longestName(context)
  return screenLayout(size, panes, state, rowsIn, name, oneAtATime || state.isFull)
}

const longestNames = identityMemo<number>()

/** Returns the columns of the longest name of a skill or of its tools, active or not: the panes stay where they are. */
function longestName(context: PlaygroundContext): number {
  const { catalog } = context.reader()
  return longestNames([catalog], '', () => {
    let most = 0
    for (const name of catalog.skills.keys()) most = Math.max(most, name.length)
    for (const name of catalog.bringers.keys()) most = Math.max(most, name.length)
    return most
  })
}

/** Columns of a list around its names: borders, cursor, mark, a short status, and counts. */
const AROUND_NAME = 28

/** Columns that the right side keeps when the lists grow for their names. */
const LEAST_RIGHT = 66

/** Returns true when the lists and the right side are next to each other. */
export function showsBothSides(areas: readonly PaneArea[]): boolean {
  return areas.some(({ left }) => left > 0)
}

/** Returns the area at the right of the lists; all of the body where they are not next to each other. */
export function rightSide({ body, panes }: Pick<ScreenLayout, 'body' | 'panes'>): Area {
  const left = panes.reduce((most, area) => Math.max(most, area.left), 0)
  return { ...body, left, width: body.width - left }
}

/** The lists one above the other; a low side shows only the current one. */
function leftSide(
  area: Area,
  lists: readonly ScreenPane[],
  current: ScreenPane | undefined,
  rowsIn: (pane: ScreenPane) => number,
): readonly PaneArea[] {
  if (area.height < ROWS_FOR_LISTS && current !== undefined) {
    return [{ ...area, pane: current, named: lists }]
  }
  const wanted = lists.map((pane) => {
    const rows = rowsIn(pane)
    return rows === 0 && pane !== current ? TITLE_ROWS : wantedRows(rows)
  })
  const at = current === undefined ? 0 : lists.indexOf(current)
  const heights = sharedRows(wanted, area.height, at)
  let { top } = area
  return lists.map((pane, place) => {
    const height = heights[place] ?? 0
    top += height
    return { ...area, pane, named: [pane], top: top - height, height }
  })
}

/** Returns the rows that a list takes with its border; longer ones have a head. */
function wantedRows(rows: number): number {
  const head = rows < ROWS_FOR_HEAD ? 0 : 1
  return Math.max(1, rows + head) + BORDER_ROWS
}

const ROWS_FOR_HEAD = 5

const BORDER_ROWS = 2

/** An empty list is its title while another one has the focus. */
const TITLE_ROWS = 1

/** Rows that a list has at least, if it wants them. */
const FEW_ROWS = 6

/** The share of its side that the current list takes, if it wants it. */
const GROWN = 0.6

/**
 * Shares rows among panes: a few for each, then for the current one what it wants, then for the others. What none wants is
 * at the end of the current one, or of another.
 */
function sharedRows(
  wanted: readonly number[],
  height: number,
  current: number,
  { grown = GROWN, spare = current } = {},
): readonly number[] {
  const few = Math.min(FEW_ROWS, Math.floor(height / Math.max(1, wanted.length)))
  const shared = wanted.map((rows) => Math.min(rows, few))
  let left = height - shared.reduce((sum, rows) => sum + rows, 0)
  const give = (place: number, most: number) => {
    const more = Math.max(0, Math.min(left, most - (shared[place] ?? 0)))
    shared[place] = (shared[place] ?? 0) + more
    left -= more
  }
  give(current, Math.min(wanted[current] ?? 0, Math.floor(height * grown)))
  const unmet = wanted
    .map((_, place) => place)
    .filter((place) => place !== current)
    .toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  for (const [at, place] of unmet.entries()) {
    const even = Math.ceil(left / (unmet.length - at))
    give(place, Math.min(wanted[place] ?? 0, (shared[place] ?? 0) + even))
  }
  for (const place of [...unmet, current]) give(place, wanted[place] ?? 0)
  give(spare, height)
  return shared
}

/** The share of the right side that the tab takes, if it wants it. */
const TAB_SHARE = 0.7

/** The tab above the lane; a low side shows one of them. */
function tabAndLane(
  area: Area,
  right: readonly ScreenPane[],
  tab: ScreenPane | undefined,
  isLaneFocused: boolean,
  rowsIn: (pane: ScreenPane) => number,
): readonly PaneArea[] {
  const lane = right.find(({ place }) => place === 'lane')
  if (tab === undefined || lane === undefined || area.height < ROWS_FOR_LANE) {
    const pane = isLaneFocused ? (lane ?? tab) : (tab ?? lane)
    return pane === undefined ? [] : [{ ...area, pane, named: right }]
  }
  const wanted = [tab, lane].map((pane) => Math.max(1, rowsIn(pane)) + BORDER_ROWS)
  const share = isLaneFocused ? {} : { grown: TAB_SHARE }
  const [, height = 0] = sharedRows(wanted, area.height, isLaneFocused ? 1 : 0, {
    ...share,
    spare: 0,
  })
  const named = right.filter(({ place }) => place === 'tab')
  return [
    { ...area, pane: tab, named, height: area.height - height },
    { ...area, pane: lane, named: [lane], top: area.top + area.height - height, height },
  ]
}

/** Columns and rows inside a border. */
interface DrawnSize {
  readonly width: number
  readonly height: number
}

const UNKNOWN: DrawnSize = { width: 80, height: 20 }

const sizes = new WeakMap<PlaygroundContext, Map<string, DrawnSize>>()

/**
 * Stores the size at which a pane or a dialog is drawn: scroll keys move by the lines on the screen,
 * and line breaks depend on the width. Views call it each time they draw.
 */
export function rememberDrawnSize(context: PlaygroundContext, id: string, size: DrawnSize): void {
  const known = sizes.get(context) ?? new Map<string, DrawnSize>()
  known.set(id, size)
  sizes.set(context, known)
}

/** Returns the size at which it was drawn last; 80 by 20 before the first time. */
export function drawnSize(context: PlaygroundContext, id: string): DrawnSize {
  return sizes.get(context)?.get(id) ?? UNKNOWN
}
