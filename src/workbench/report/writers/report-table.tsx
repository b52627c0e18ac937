import { type ReactElement, useMemo } from 'react'
import { DEFAULT_THEME, glyphsOf, Table, type TableProps } from '../../../entries/ink-views.ts'
import { formatCount } from '../../../entries/plan.ts'
import { cellText, type ReportColumn, type ReportRows } from '../report.ts'

/** The first rows of a table, which its widths are measured by. */
const MEASURED = 1000

/** The largest share of the width for a column that is as wide as its widest cell. */
const MOST_FOR_FITTED = 0.4

/** Columns of the cursor. */
const CURSOR = 2

/** Columns of a rank up to this are next to names, however long. */
const MOST_RANK = 2

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
    const [first] = shown
    const hasStatus = first !== undefined && shown.some(({ isStatus }) => isStatus)
    const named = hasStatus ? widest(first, false) + 1 : 0
    const sized = (shortens: boolean) => {
      const columns = shown.map((column) => {
        const { title, align, screen } = column
        const most = screen?.width === undefined ? widest(column, shortens) : 0
        const fitted = most === 0 ? 0 : Math.max(title.length, most) + 1
        const own = screen?.width ?? Math.min(Math.floor(width * MOST_FOR_FITTED), fitted)
        return { rank: 0, ...screen, width: own, title, ...(align && { align }) }
      })
      // Columns of a higher rank are left out before a name is cut.
      const others = columns
        .slice(1)
        .reduce((sum, { rank, width: own }) => sum + (rank > MOST_RANK ? 0 : own), 0)
      return { columns, room: width - CURSOR - report.markWidth - others }
    }
    const long = sized(false)
    const isShort = named > long.room
    const { columns, room } = isShort ? sized(true) : long
    const [name, ...others] = columns
    const own = Math.max(name?.width ?? 0, Math.min(named, room))
    return { columns: name === undefined ? [] : [{ ...name, width: own }, ...others], isShort }
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
