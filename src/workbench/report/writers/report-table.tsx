import type { ReactElement } from 'react'
import { DEFAULT_THEME, glyphsOf, Table, type TableProps } from '../../../entries/ink-views.ts'
import { formatCount } from '../../../entries/plan.ts'
import { cellText, type ReportColumn, type ReportRows } from '../report.ts'

/** The largest share of the width for a column that is as wide as its widest cell. */
const MOST_FOR_FITTED = 0.4

/** Draws rows of a report with their marks, as a table for Ink. Apart from a fitted column, only rows in view are read. */
export function ReportTable<Row, Read>({
  report,
  branch = () => '',
  ...table
}: Omit<TableProps<Row>, 'columns' | 'identify' | 'cells'> & {
  readonly report: ReportRows<Row, Read>
  /** Returns the branches before the name of a row in a tree. */
  branch?(row: Row): string
}): ReactElement {
  const { width, groups, theme = DEFAULT_THEME } = table
  const glyphs = glyphsOf(theme)
  const shown = report.columns.filter(({ screen }) => screen !== undefined)
  const fitted = (column: ReportColumn<Read>) => {
    const most = Math.floor(width * MOST_FOR_FITTED)
    const widest = groups.flatMap(({ rows }) =>
      rows.map((row) => cellText(column.cell(report.read(row)), formatCount).length),
    )
    return Math.min(most, Math.max(0, ...widest) + 1)
  }
  return (
    <Table
      {...table}
      columns={[
        { title: '', width: report.markWidth, rank: 0 },
        ...shown.map((column) => {
          const { title, align, screen } = column
          const own = screen?.width ?? fitted(column)
          return { rank: 0, ...screen, width: own, title, ...(align && { align }) }
        }),
      ]}
      identify={report.identify}
      cells={(row) => {
        const { glyph, tone, note = '' } = report.mark(row)
        const read = report.read(row)
        return [
          { text: glyphs[glyph] + note, tone },
          ...shown.map((column, place) => {
            const cell = column.cell(read)
            const look = typeof cell === 'object' ? cell : null
            const own = cellText(cell, formatCount)
            return { ...look, text: place === 0 ? branch(row) + own : own }
          }),
        ]
      }}
    />
  )
}
