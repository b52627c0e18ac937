import type { PlaygroundContext } from './playground-context.ts'

/** A rectangle of the screen in columns and rows, including borders. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A visible pane, identified by its index in the list of panes. */
export interface PaneArea extends Area {
  readonly index: number
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

/** The number of panes side by side, by the least columns they need. */
const PANES_FROM: readonly (readonly [columns: number, panes: number])[] = [
  [100, 3],
  [60, 2],
  [0, 1],
]

/**
 * Divides a screen; null for one that is too small.
 *
 * @param atOnce the most panes to show; a screen reader can read only one at a time
 */
export function screenLayout(
  { columns, rows }: { readonly columns: number; readonly rows: number },
  panes: number,
  focused: number,
  atOnce = panes,
): ScreenLayout | null {
  if (columns < LOWEST_COLUMNS || rows < LOWEST_ROWS) return null
  const reportRows = rows >= ROWS_FOR_NAMES ? 2 : 1
  const body = { left: 0, top: 1, width: columns, height: rows - FRAME_ROWS - reportRows }
  const most = PANES_FROM.find(([from]) => columns >= from)?.[1] ?? 1
  const count = Math.min(panes, most, atOnce)
  const first = Math.max(0, Math.min(focused - Math.floor(count / 2), panes - count))
  const edge = (place: number) => Math.round((columns * place) / count)
  return {
    body,
    reportRows,
    panes: Array.from({ length: count }, (_, place) => ({
      index: first + place,
      left: edge(place),
      top: body.top,
      width: edge(place + 1) - edge(place),
      height: body.height,
    })),
  }
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
