import { Box, type DOMElement } from 'ink'
import {
  Fragment,
  type ReactElement,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { moreText } from './format-count.ts'
import { Line, type TextSpan } from './line.tsx'
import { RowHitsContext } from './row-hits.ts'
import { DEFAULT_THEME, glyphsOf, type Theme } from './theme.ts'

interface WindowedRowsProps {
  readonly count: number
  /** Index of the row to keep in view; -1 for none. */
  readonly selected: number
  /** Index of the last row that should be in view together with the selected one. */
  readonly reveal?: number | undefined
  /** Rows to scroll past; without it the list moves only as far as the selection needs. */
  readonly scroll?: number | undefined
  readonly width: number
  readonly height: number
  readonly theme?: Theme
  /** Takes the first row in view after the wheel moved the list; without it the list keeps it itself. */
  readonly onScroll?: ((top: number) => void) | undefined
  /** Draws the row at an index, one line high; called only for rows in view. */
  renderRow(index: number): ReactElement
  /** The key that identifies a row when its index changes; the index by default. */
  keyOf?(index: number): string
}

/** The rows of a list that are in view, with the number of hidden rows above and below. */
export function WindowedRows({
  count,
  selected,
  reveal = selected,
  scroll,
  width,
  height,
  theme = DEFAULT_THEME,
  onScroll,
  renderRow,
  keyOf = String,
}: WindowedRowsProps): ReactElement {
  // The window of the last frame. If the wheel moved it, the selection and the scroll of the keys were these.
  const [before, setBefore] = useState<{
    readonly top: number
    readonly isWheeled: boolean
    readonly selected?: number
    readonly scroll?: number | undefined
  }>({ top: 0, isWheeled: false })
  // The wheel scrolls past the selection until it moves.
  const isWheeled = before.isWheeled && before.selected === selected && before.scroll === scroll
  const kept = isWheeled ? -1 : selected
  const from = isWheeled ? before.top : (scroll ?? before.top)
  const revealed = kept < 0 || reveal === kept ? from : windowOf(count, reveal, height, from).top
  const { top, start, end, above, below } = windowOf(count, kept, height, revealed)
  const element = useRef<DOMElement>(null)
  const hits = useContext(RowHitsContext)
  // Several notches can arrive before a frame: each scrolls on from the one before.
  const wheeled = useRef(top)
  // In the commit itself: an effect after it could come after the next notch.
  useLayoutEffect(() => {
    wheeled.current = top
  })
  useEffect(() =>
    hits?.add({
      element: () => element.current,
      keyAt(line) {
        const index = start + line - (above > 0 ? 1 : 0)
        return index >= start && index < end ? keyOf(index) : null
      },
      scroll(by) {
        const to = windowOf(count, -1, height, wheeled.current + by).top
        wheeled.current = to
        if (onScroll === undefined) setBefore({ top: to, isWheeled: true, selected, scroll })
        else onScroll(to)
      },
    }),
  )
  // Storing a value of the last render: React renders again before anything is drawn.
  if (top !== before.top || isWheeled !== before.isWheeled) {
    setBefore({ top, isWheeled, selected, scroll })
    return <></>
  }
  const { above: up, below: down } = glyphsOf(theme)
  return (
    <Box
      ref={element}
      flexDirection="column"
      flexShrink={0}
      width={width}
      height={Math.max(0, height)}
    >
      {above > 0 && (
        <Line theme={theme} width={width} spans={[{ text: moreText(up, above), dim: true }]} />
      )}
      {Array.from({ length: end - start }, (_, place) => (
        <Fragment key={keyOf(start + place)}>{renderRow(start + place)}</Fragment>
      ))}
      {below > 0 && (
        <Line theme={theme} width={width} spans={[{ text: moreText(down, below), dim: true }]} />
      )}
    </Box>
  )
}

export interface WindowedListProps<Row extends { readonly id: string }> {
  readonly rows: readonly Row[]
  /** Id of the row the cursor is on; it is kept in view. */
  readonly selected: string | null
  readonly width: number
  /** Rows to scroll past, as far as the selection allows; without it the list moves only for it. */
  readonly scroll?: number | undefined
  /** Lines, including those with the number of hidden rows. */
  readonly height: number
  readonly theme?: Theme
  /** Draws one row as one line; called only for rows in view. */
  renderRow(row: Row, selected: boolean): ReactElement
}

/** A list of rows with a cursor. Only the part in view is drawn. */
export function WindowedList<Row extends { readonly id: string }>({
  rows,
  selected,
  renderRow,
  ...rest
}: WindowedListProps<Row>): ReactElement {
  return (
    <WindowedRows
      {...rest}
      count={rows.length}
      selected={selected === null ? -1 : rows.findIndex(({ id }) => id === selected)}
      keyOf={(index) => rows[index]?.id ?? String(index)}
      renderRow={(index) => {
        const row = rows[index]
        return row === undefined ? <></> : renderRow(row, row.id === selected)
      }}
    />
  )
}

export interface ScrolledTextProps {
  /** Lines of the screen: wrap the text first. */
  readonly lines: readonly string[]
  /** Lines to scroll past; stops at the end of the text. */
  readonly scroll: number
  readonly width: number
  readonly height: number
  readonly theme?: Theme
  /** Takes the first line in view after the wheel moved the text; without it the text keeps it itself. */
  readonly onScroll?: (top: number) => void
}

/** A long text. Only the part in view is drawn. */
export function ScrolledText({ lines, ...window }: ScrolledTextProps): ReactElement {
  return <ScrolledLines {...window} lines={lines} spansFor={(line) => [{ text: line || ' ' }]} />
}

/** Lines without a cursor, each drawn as spans. Only the part in view is drawn. */
export function ScrolledLines<Item>({
  lines,
  theme = DEFAULT_THEME,
  spansFor,
  ...window
}: Omit<ScrolledTextProps, 'lines'> & {
  readonly lines: readonly Item[]
  spansFor(line: Item, index: number): readonly TextSpan[]
}): ReactElement {
  return (
    <WindowedRows
      {...window}
      count={lines.length}
      selected={-1}
      theme={theme}
      renderRow={(index) => {
        const [line] = lines.slice(index, index + 1)
        const spans = line === undefined ? [] : spansFor(line, index)
        return <Line theme={theme} width={window.width} spans={spans} />
      }}
    />
  )
}

/** The rows of a list that are on the screen, and the number of hidden rows. */
export interface RowWindow {
  /** Rows scrolled past; pass it to the next call to keep the list in place. */
  readonly top: number
  /** Index of the first row drawn. */
  readonly start: number
  /** Index after the last row drawn. */
  readonly end: number
  /** Rows hidden before `start`; above 0 only when a line is used to show it. */
  readonly above: number
  /** Rows hidden from `end` on; above 0 only when a line is used to show it. */
  readonly below: number
}

/** Lower windows have no lines for the number of hidden rows. */
const LOWEST_WITH_MARKS = 3

/**
 * Chooses the rows of a list to draw in `height` lines.
 *
 * The marks for hidden rows replace the first and the last row, so scrolling by one moves every row
 * by one line. The list moves only as far as the selection needs.
 *
 * @param selected index of the row to keep in view; -1 for none
 * @param offset `top` of the previous window, or the rows to scroll past
 */
export function windowOf(count: number, selected: number, height: number, offset = 0): RowWindow {
  const lines = Math.max(0, height)
  const last = Math.max(0, count - lines)
  const margin = lines >= LOWEST_WITH_MARKS ? 1 : 0
  let top = Math.min(Math.max(0, offset), last)
  if (selected >= 0 && selected < count) {
    // A row next to the edge of the window would be under a mark, but not at the end of the list.
    if (selected < top + margin) top = Math.max(0, selected - margin)
    if (selected >= top + lines - margin) top = Math.min(last, selected - lines + 1 + margin)
  }
  const isCutAbove = margin > 0 && top > 0
  const isCutBelow = margin > 0 && top < last
  const start = Math.min(count, top + (isCutAbove ? 1 : 0))
  const end = Math.min(count, top + lines - (isCutBelow ? 1 : 0))
  return {
    top,
    start,
    end,
    above: isCutAbove ? start : 0,
    below: isCutBelow ? count - end : 0,
  }
}
