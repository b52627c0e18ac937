import type { ReactElement } from 'react'
import { fitText } from './fit-text.ts'
import { glyphsOf } from './glyphs.ts'
import { Line, type Span } from './line.tsx'
import type { Theme } from './theme.ts'

/** Text of one column; cut and filled up to its width. */
export interface Cell extends Span {
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
  const spans = cells.flatMap((cell, index): Span[] => {
    const columns = widths[index] ?? 0
    if (columns === 0) return []
    const text = `${fitText(cell.text, columns - 1, theme, cell.align)} `
    return [{ ...cell, text, bold: selected || cell.bold === true }]
  })
  return <Line theme={theme} width={width} spans={[cursorSpan(selected, theme), ...spans]} />
}

/** What stands before a row: the cursor or blanks. */
export function cursorSpan(selected: boolean, theme: Theme): Span {
  const text = `${selected ? glyphsOf(theme).cursor : ' '} `
  return selected ? { text, tone: 'accent', bold: true } : { text }
}
