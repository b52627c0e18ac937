import { Box, type DOMElement } from 'ink'
import { Fragment, type ReactElement, useContext, useEffect, useRef, useState } from 'react'
import { moreText } from './format-count.ts'
import { Line } from './line.tsx'
import { RowHitsContext } from './row-hits.ts'
import { DEFAULT_THEME, glyphsOf, type Theme } from './theme.ts'

interface WindowedRowsProps {
  readonly count: number
  /** Index of the row that must be seen; -1 when none must. */
  readonly selected: number
  /** Rows to scroll past; without it the list stays where it is as far as the selection allows. */
  readonly scroll?: number | undefined
  readonly width: number
  readonly height: number
  readonly theme?: Theme
  /** The row at an index, one line high; asked only for rows in view. */
  renderRow(index: number): ReactElement
  /** Says which row it is when others come before it; the index by default. */
  keyOf?(index: number): string
}

/** The rows of a list that are in view, and how many there are above and below. */
export function WindowedRows({
  count,
  selected,
  scroll,
  width,
  height,
  theme = DEFAULT_THEME,
  renderRow,
  keyOf = String,
}: WindowedRowsProps): ReactElement {
  const [before, setBefore] = useState(0)
  const { top, start, end, above, below } = windowOf(count, selected, height, scroll ?? before)
  const element = useRef<DOMElement>(null)
  const hits = useContext(RowHitsContext)
  useEffect(() =>
    hits?.add({
      element: () => element.current,
      keyAt(line) {
        const index = start + line - (above > 0 ? 1 : 0)
        return index >= start && index < end ? keyOf(index) : null
      },
    }),
  )
  // What React has for keeping a value of the last time: it asks again before anybody looks.
  if (top !== before) {
    setBefore(top)
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
  /** Rows to scroll past, as far as the selection allows; without it the list stays where it is. */
  readonly scroll?: number | undefined
  /** Lines, those that say how much is hidden among them. */
  readonly height: number
  readonly theme?: Theme
  /** One line; asked only for rows in view. */
  renderRow(row: Row, selected: boolean): ReactElement
}

/** A list of rows with a cursor, of which only the part in view is drawn. */
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
  /** One a line of the screen: wrap them before. */
  readonly lines: readonly string[]
  /** Lines to scroll past; more than there are is the end. */
  readonly scroll: number
  readonly width: number
  readonly height: number
  readonly theme?: Theme
}

/** A long text, of which only the part in view is drawn. */
export function ScrolledText({
  lines,
  scroll,
  width,
  height,
  theme = DEFAULT_THEME,
}: ScrolledTextProps): ReactElement {
  return (
    <WindowedRows
      count={lines.length}
      selected={-1}
      scroll={scroll}
      width={width}
      height={height}
      theme={theme}
      renderRow={(index) => (
        <Line theme={theme} width={width} spans={[{ text: lines[index] || ' ' }]} />
      )}
    />
  )
}

/** The rows of a list that are on screen, and how many are not. */
export interface RowWindow {
  /** Rows scrolled past; give it to the next call, so that the list stays where it is. */
  readonly top: number
  /** First row drawn. */
  readonly start: number
  /** Row after the last one drawn. */
  readonly end: number
  /** Rows hidden before `start`; more than 0 when a line is spent to say so. */
  readonly above: number
  /** Rows hidden from `end` on; more than 0 when a line is spent to say so. */
  readonly below: number
}

/** Below this height there is no room for lines that say how much is hidden. */
const LOWEST_WITH_MARKS = 3

/**
 * What to draw of a list in so many lines.
 *
 * The marks for hidden rows take the place of the first and last row, so scrolling by one moves
 * every row by one line. The list moves only as far as the selection needs.
 *
 * @param selected index of the row that must be seen; -1 when none must
 * @param offset `top` of the window before, or the rows to scroll past
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
