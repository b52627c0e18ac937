import { Box } from 'ink'
import type { ReactElement } from 'react'
import { cutText, fitText, wrappedText } from './fit-text.ts'
import { Line, type TextSpan } from './line.tsx'
import { glyphsOf, type Theme } from './theme.ts'

/** Text of one column; cut and filled up to its width. */
export interface Cell extends TextSpan {
  readonly align?: 'left' | 'right'
}

export interface TableLineProps {
  readonly cells: readonly Cell[]
  /** As `columnWidths` gives them, each with a gap of one at its end. */
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

/** What stands before a row: the cursor or blanks. */
export function cursorSpan(selected: boolean, theme: Theme): TextSpan {
  const text = `${selected ? glyphsOf(theme).cursor : ' '} `
  return selected ? { text, tone: 'accent', bold: true } : { text }
}

/** A column of a table. */
export interface Column {
  /** Columns of the screen, with the gap after it. */
  readonly width: number
  /** Its part of what is left over; 0 by default. */
  readonly grows?: number
  /** Columns of the highest rank go first when there is no room; those of rank 0 never. */
  readonly rank: number
}

/** How wide each column is in so much room; 0 for one that is left out. */
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

interface FootnoteProps {
  readonly text: string
  /** Exactly so many are drawn. */
  readonly lines: number
  readonly width: number
  readonly theme: Theme
}

/** Words about the row that the cursor is on, at the foot of a table; what does not fit is cut. */
export function Footnote({ text, lines: count, width, theme }: FootnoteProps): ReactElement {
  const lines = wrappedText(text, width)
  const last = cutText(lines.slice(count - 1).join(' '), width, theme)
  const told = lines.length < count ? lines : [...lines.slice(0, count - 1), last]
  const drawn = [...Array.from({ length: count - told.length }, () => ''), ...told]
  return (
    <Box flexDirection="column" flexShrink={0} width={width} height={count}>
      {drawn.map((line, at) => (
        <Line key={at} theme={theme} width={width} spans={[{ text: line || ' ', dim: true }]} />
      ))}
    </Box>
  )
}

/** How many lines of a table's height are its footnote: low ones keep all for their rows. */
export function footnoteLines(height: number): 0 | 1 | 2 {
  if (height < 6) return 0
  return height < 12 ? 1 : 2
}
