import { Box } from 'ink'
import type { ReactElement } from 'react'
import { fitText, wrappedText } from './fit-text.ts'
import { Line, type TextSpan } from './line.tsx'
import { glyphsOf, type Theme } from './theme.ts'
import { ScrolledText } from './windowed-rows.tsx'

/** Text of one column; cut or padded to its width. */
export interface Cell extends TextSpan {
  readonly align?: 'left' | 'right'
}

export interface TableLineProps {
  readonly cells: readonly Cell[]
  /** From `columnWidths`; each includes a gap of one column at its end. */
  readonly widths: readonly number[]
  readonly selected: boolean
  readonly width: number
  readonly theme: Theme
}

/** Columns the cursor takes. */
export const CURSOR_WIDTH = 2

/** One row of a table: the cursor, then its cells. */
export function TableLine({ cells, widths, selected, width, theme }: TableLineProps): ReactElement {
  const spans = cells.flatMap((cell, index): TextSpan[] => {
    const columns = widths[index] ?? 0
    if (columns === 0) return []
    const text = `${fitText(cell.text, columns - 1, theme, cell.align)} `
    return [{ ...cell, text, bold: selected || cell.bold === true }]
  })
  return <Line theme={theme} width={width} spans={[cursorSpan(selected, theme), ...spans]} />
}

/** The start of a row: the cursor, or blanks of the same width. */
export function cursorSpan(selected: boolean, theme: Theme): TextSpan {
  const text = `${selected ? glyphsOf(theme).cursor : ' '} `
  return selected ? { text, tone: 'accent', bold: true, chosen: true } : { text }
}

/** A column of a table. */
export interface Column {
  /** Columns of the screen, including the gap after it. */
  readonly width: number
  /** Its weight when left-over room is shared out; 0 by default. */
  readonly grows?: number
  /** The column of the highest rank is left out first when there is no room; rank 0 never is. */
  readonly rank: number
}

/** The width of each column in a table of this width; 0 for a column that is left out. */
export function columnWidths(columns: readonly Column[], width: number): number[] {
  const kept = new Set(columns)
  const sum = () => [...kept].reduce((total, column) => total + column.width, 0)
  while (sum() > width) {
    const [first, ...others] = [...kept].filter(({ rank }) => rank > 0)
    if (first === undefined) break
    kept.delete(others.reduce((least, one) => (one.rank >= least.rank ? one : least), first))
  }
  const weight = (column: Column) => (kept.has(column) ? (column.grows ?? 0) : 0)
  let left = Math.max(0, width - sum())
  let weights = columns.reduce((total, column) => total + weight(column), 0)
  return columns.map((column) => {
    if (!kept.has(column)) return 0
    const share = weights === 0 ? 0 : Math.floor((left * weight(column)) / weights)
    left -= share
    weights -= weight(column)
    return column.width + share
  })
}

interface TableFrameProps {
  /** Null for a table without titles. */
  readonly head: readonly Cell[] | null
  readonly widths: readonly number[]
  readonly width: number
  readonly height: number
  readonly theme: Theme
  /** Text shown in place of the table when there are no rows; null when there are some. */
  readonly empty: string | null
  /** Draws the rows in `height` lines. */
  children(height: number): ReactElement
}

/** Lower tables use all lines for their rows. */
const LOWEST_WITH_HEAD = 6

/** A table: its head and its rows. */
export function TableFrame(props: TableFrameProps): ReactElement {
  const { head, widths, width, height, theme, empty, children } = props
  if (empty !== null) {
    const lines = wrappedText(empty, width)
    const shown = Math.min(height, lines.length)
    return <ScrolledText {...{ lines, width, theme }} height={shown} scroll={0} />
  }
  if (head === null || height < LOWEST_WITH_HEAD) return children(height)
  const cells = head.map((cell) => ({ ...cell, dim: true }))
  return (
    <Box flexDirection="column" flexShrink={0} width={width} height={height}>
      <TableLine {...{ cells, widths, width, theme }} selected={false} />
      {children(height - 1)}
    </Box>
  )
}
