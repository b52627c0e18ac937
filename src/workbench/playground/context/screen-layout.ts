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
 * @param rowsIn returns the number of rows of a list, so that none hides rows next to an empty one
 * @param oneAtATime show one pane only: a screen reader can read only one at a time
 */
export function screenLayout(
  { columns, rows }: { readonly columns: number; readonly rows: number },
  panes: readonly ScreenPane[],
  state: Pick<UiState, 'focus' | 'list' | 'tabs'>,
  rowsIn: (pane: ScreenPane) => number,
  oneAtATime = false,
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
      tabAndLane(area, right, shownTab(panes, state), focused.place === 'lane')
    if (columns < COLUMNS_FOR_BOTH || lists.length === 0 || right.length === 0) {
      return focused.place === 'list' ? onLeft(body) : onRight(body)
    }
    const width = Math.min(60, Math.max(38, Math.round(columns / 3)))
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
  const rowsIn = (pane: ScreenPane) => pane.rows(context).length
  return screenLayout(size, panes, context.ui.getState(), rowsIn, oneAtATime)
}

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
  const wanted = lists.map((pane) => wantedRows(rowsIn(pane)))
  const heights = sharedRows(
    wanted,
    area.height,
    current === undefined ? 0 : lists.indexOf(current),
  )
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

/** Rows that a list has at least, if it wants them. */
const FEW_ROWS = 6

/** The share of its side that the current list takes, if it wants it. */
const GROWN = 0.6

/**
 * Shares rows among lists: a few for each, then for the current one what it wants, then for the others. What no list wants is
 * at the end of the current one.
 */
function sharedRows(wanted: readonly number[], height: number, current: number): readonly number[] {
  const few = Math.min(FEW_ROWS, Math.floor(height / Math.max(1, wanted.length)))
  const shared = wanted.map((rows) => Math.min(rows, few))
  let left = height - shared.reduce((sum, rows) => sum + rows, 0)
  const give = (place: number, most: number) => {
    const more = Math.max(0, Math.min(left, most - (shared[place] ?? 0)))
    shared[place] = (shared[place] ?? 0) + more
    left -= more
  }
  give(current, Math.min(wanted[current] ?? 0, Math.floor(height * GROWN)))
  const unmet = wanted
    .map((_, place) => place)
    .toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  for (const [at, place] of unmet.entries()) {
    const even = Math.ceil(left / (unmet.length - at))
    give(place, Math.min(wanted[place] ?? 0, (shared[place] ?? 0) + even))
  }
  for (const place of [...unmet, current]) give(place, wanted[place] ?? 0)
  give(current, height)
  return shared
}

/** The tab above the lane; a low side shows one of them. */
function tabAndLane(
  area: Area,
  right: readonly ScreenPane[],
  tab: ScreenPane | undefined,
  isLaneFocused: boolean,
): readonly PaneArea[] {
  const lane = right.find(({ place }) => place === 'lane')
  if (tab === undefined || lane === undefined || area.height < ROWS_FOR_LANE) {
    const pane = isLaneFocused ? (lane ?? tab) : (tab ?? lane)
    return pane === undefined ? [] : [{ ...area, pane, named: right }]
  }
  const height = Math.min(12, Math.max(5, Math.floor(area.height / 4)))
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
