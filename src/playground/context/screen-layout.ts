import type { PlaygroundContext } from './playground-context.ts'

/** Where something is drawn: columns and rows of the screen, borders included. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** One pane that is on the screen, by its place in the list of panes. */
export interface PaneArea extends Area {
  readonly index: number
}

/**
 * The screen, divided: a header line, the panes, a line for what the last change came to, and a
 * footer line. All four keep their place, so nothing jumps.
 */
interface ScreenLayout {
  readonly panes: readonly PaneArea[]
  /** What all panes take together; dialogs are drawn over it. */
  readonly body: Area
  /** Lines for what the last change came to. */
  readonly reportRows: 1 | 2
}

const LOWEST_ROWS = 8

const LOWEST_COLUMNS = 24

/** Header and footer. */
const FRAME_ROWS = 2

/** From so many rows on a second line of the report, with the names of tools, costs nobody much. */
const ROWS_FOR_NAMES = 20

/** From how many columns on so many panes stand side by side. */
const PANES_FROM: readonly (readonly [columns: number, panes: number])[] = [
  [100, 3],
  [60, 2],
  [0, 1],
]

/**
 * Divide a screen; null for one that is too small to show anything.
 *
 * @param atOnce panes that are shown at most: one after the other is all that can be read aloud
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
 * Remember how large a pane or a dialog is drawn: keys that scroll mean the lines on screen, and
 * how a text falls into lines follows from the width. Views say it each time they draw.
 */
export function rememberDrawnSize(context: PlaygroundContext, id: string, size: DrawnSize): void {
  const known = sizes.get(context) ?? new Map<string, DrawnSize>()
  known.set(id, size)
  sizes.set(context, known)
}

/** How large it was drawn last; 80 by 20 before it ever was. */
export function drawnSize(context: PlaygroundContext, id: string): DrawnSize {
  return sizes.get(context)?.get(id) ?? UNKNOWN
}
