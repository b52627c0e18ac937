import { type ReactElement, useMemo } from 'react'
import { DEFAULT_THEME, glyphsOf, Table, type TableProps } from '../../../entries/ink-views.ts'
import { formatCount } from '../../../entries/plan.ts'
import { cellText, type ReportRows } from '../report.ts'

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
  const columns = useMemo(
    () =>
      shown.map((column) => {
        const { title, align, screen } = column
        const length = (row: Row) => cellText(column.cell(report.read(row)), formatCount).length
        const rows = screen?.width === undefined ? groups.flatMap((group) => group.rows) : []
        const widest = rows.reduce((most, row) => Math.max(most, length(row)), 0)
        const own = screen?.width ?? Math.min(Math.floor(width * MOST_FOR_FITTED), widest + 1)
        return { rank: 0, ...screen, width: own, title, ...(align && { align }) }
      }),
    [report, groups, width],
  )
  return (
    <Table
      {...table}
      columns={[{ title: '', width: report.markWidth, rank: 0 }, ...columns]}
      identify={report.identify}
      cells={(row) => {
        const { glyph, tone, note = '' } = report.mark(row)
        const read = report.read(row)
        return [
          { text: glyphs[glyph] + note, tone },
          ...shown.map((column, place) => {
            const cell = column.cell(read)
            const text = (place === 0 ? branch(row) : '') + cellText(cell, formatCount)
            return { ...(typeof cell === 'object' && cell), text }
          }),
        ]
      }}
    />
  )
}
