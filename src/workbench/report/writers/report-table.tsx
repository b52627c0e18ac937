import { type ReactElement, useMemo } from 'react'
import { DEFAULT_THEME, glyphsOf, Table, type TableProps } from '../../../entries/ink-views.ts'
import { formatCount } from '../../../entries/plan.ts'
import { cellText, type ReportColumn, type ReportRows } from '../report.ts'

/** The first rows of a table, which its widths are measured by. */
const MEASURED = 1000

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
  const { columns, isShort } = useMemo(() => {
    const rows = groups.flatMap((group) => group.rows).slice(0, MEASURED)
    const widest = (column: ReportColumn<Read>, shortens: boolean) =>
      rows.reduce(
        (most, row) =>
          Math.max(most, cellIn(column, column.cell(report.read(row)), shortens).length),
        0,
      )
    const name = shown.some(({ isStatus }) => isStatus) ? shown[0] : undefined
    const longest = name === undefined ? 0 : widest(name, false)
    const sized = (shortens: boolean) =>
      shown.map((column) => {
        const { title, align, screen } = column
        const most = screen?.width === undefined ? widest(column, shortens) : 0
        const fitted = most === 0 ? 0 : Math.max(title.length, most) + 1
        const named = column === name ? Math.min(Math.floor(width / 2), longest + 1) : 0
        const own = screen?.width ?? Math.min(Math.floor(width * MOST_FOR_FITTED), fitted)
        return { rank: 0, ...screen, width: Math.max(named, own), title, ...(align && { align }) }
      })
    const whole = sized(false)
    // Those of a higher rank are left out before a name is cut.
    const others = whole
      .slice(1)
      .reduce((sum, column) => sum + (column.rank > 1 ? 0 : column.width), 0)
    // The cursor and a gap take columns, too.
    const room = width - report.markWidth - others - 3
    const isShort = longest > room
    return { columns: isShort ? sized(true) : whole, isShort }
  }, [report, groups, width])
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
            const text = (place === 0 ? branch(row) : '') + cellIn(column, cell, isShort)
            return { ...(typeof cell === 'object' && cell), text }
          }),
        ]
      }}
    />
  )
}

/** Returns the text of a cell; that of a status in short words, where names need the room. */
function cellIn<Read>(
  { isStatus }: ReportColumn<Read>,
  cell: ReturnType<ReportColumn<Read>['cell']>,
  shortens: boolean,
): string {
  const text = cellText(cell, formatCount)
  if (isStatus !== true || !shortens) return text
  const words = text.split(', ').map((word) => SHORT[word] ?? word)
  return words.filter((word) => word !== '').join(', ')
}

/** Short words of statuses; none for those that the mark of a row says as well. */
const SHORT: Readonly<Record<string, string>> = {
  active: '',
  inactive: '',
  sent: '',
  'asks first': 'asks',
  'by search': 'search',
  'not sent': 'unsent',
  'not-exposed': 'hidden',
  'not-permitted': 'denied',
  'missing-requirement': 'needs',
  conflicting: 'conflict',
  'blocked-by-mode': 'mode',
  'budget-spent': 'spent',
}
