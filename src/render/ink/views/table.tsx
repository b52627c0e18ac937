import { memo, type ReactElement, useMemo } from 'react'
import { cutText } from '../parts/fit-text.ts'
import { formatCount } from '../parts/format-count.ts'
import { Line, type TextSpan } from '../parts/line.tsx'
import {
  type Column,
  columnWidths,
  CURSOR_WIDTH,
  cursorSpan,
  TableFrame,
  TableLine,
} from '../parts/table-line.tsx'
import { DEFAULT_THEME, glyphsOf, type Theme } from '../parts/theme.ts'
import { WindowedRows } from '../parts/windowed-rows.tsx'

/** Rows under one heading. */
export interface TableGroup<Row> {
  readonly id: string
  /** The heading; null for rows without one. */
  readonly title: string | null
  readonly folded: boolean
  readonly rows: readonly Row[]
}

/** A column with its title. */
export interface TableColumn extends Column {
  readonly title: string
  readonly align?: 'left' | 'right'
}

export interface TableProps<Row> {
  readonly columns: readonly TableColumn[]
  readonly groups: readonly TableGroup<Row>[]
  /** Id of a row, or of a group to select its heading. */
  readonly selected: string | null
  /** Rows to scroll past, as far as the selection allows. */
  readonly scroll?: number | undefined
  readonly width: number
  readonly height: number
  readonly theme?: Theme
  /** Text shown when there are no rows; `Nothing.` by default. */
  readonly empty?: string
  identify(row: Row): string
  /** Returns the cells of a row, one for each column; called only for rows in view. */
  cells(row: Row): readonly TextSpan[]
}

/** Rows of any number in columns, one per line, under headings that fold. */
export function Table<Row>({
  columns,
  groups,
  selected,
  scroll,
  width,
  height,
  theme = DEFAULT_THEME,
  empty = 'Nothing.',
  identify,
  cells,
}: TableProps<Row>): ReactElement {
  const starts = useMemo(() => startLines(groups), [groups])
  const count = starts.at(-1) ?? 0
  const widths = columnWidths(columns, width - CURSOR_WIDTH)
  const cursor = useMemo(
    () => (selected === null ? -1 : findLine(selected, groups, starts, identify)),
    [selected, groups, starts],
  )
  const aligned = (some: readonly TextSpan[]) =>
    some.map((cell, place) => ({ ...cell, align: columns[place]?.align ?? 'left' }))
  return (
    <TableFrame
      {...{ widths, width, height, theme }}
      head={
        columns.every(({ title }) => title === '')
          ? null
          : aligned(columns.map(({ title }) => ({ text: title })))
      }
      empty={count === 0 ? empty : null}
    >
      {(rowsHeight) => (
        <WindowedRows
          {...{ scroll, width, theme }}
          count={count}
          selected={cursor}
          height={rowsHeight}
          keyOf={(index) => {
            const { group, row } = itemAt(index, groups, starts)
            return row === undefined ? (group?.id ?? String(index)) : identify(row)
          }}
          renderRow={(index) => {
            const { group, row } = itemAt(index, groups, starts)
            const shared = { selected: index === cursor, width, theme }
            if (group === undefined) return <></>
            if (row === undefined) return <GroupLine {...shared} group={group} />
            return <RowLine {...shared} widths={widths} cells={aligned(cells(row))} />
          }}
        />
      )}
    </TableFrame>
  )
}

type Groups<Row> = readonly TableGroup<Row>[]

/** Returns the line of each group, then the number of all lines. A list of all lines would be made at each change. */
function startLines(groups: Groups<unknown>): readonly number[] {
  const starts = [0]
  let end = 0
  for (const { title, folded, rows } of groups) {
    starts.push((end += (title === null ? 0 : 1) + (folded ? 0 : rows.length)))
  }
  return starts
}

/** Returns the heading or the row on a line: the group, and the row. */
function itemAt<Row>(
  index: number,
  groups: Groups<Row>,
  starts: readonly number[],
): { readonly group?: TableGroup<Row> | undefined; readonly row?: Row | undefined } {
  let [place, after] = [0, groups.length]
  while (after - place > 1) {
    const middle = (place + after) >> 1
    if ((starts[middle] ?? 0) <= index) place = middle
    else after = middle
  }
  const group = groups[place]
  return { group, row: group?.rows[index - (starts[place] ?? 0) - (group.title === null ? 0 : 1)] }
}

/** Returns the line of a heading or a row; -1 for one that is not listed. */
function findLine<Row>(
  id: string,
  groups: Groups<Row>,
  starts: readonly number[],
  identify: (row: Row) => string,
): number {
  for (const [place, group] of groups.entries()) {
    const start = starts[place] ?? 0
    if (group.title !== null && group.id === id) return start
    const row = group.folded ? -1 : group.rows.findIndex((one) => identify(one) === id)
    if (row >= 0) return start + (group.title === null ? 0 : 1) + row
  }
  return -1
}

/** Memoised by what the cells show: most frames change one or two lines. */
const RowLine = memo(TableLine, ({ cells, ...before }, { cells: now, ...after }) => {
  const names = ['selected', 'width', 'theme'] as const
  return (
    names.every((name) => before[name] === after[name]) &&
    String(before.widths) === String(after.widths) &&
    cells.every((cell, place) => {
      const other = now[place]
      return cell.text === other?.text && cell.tone === other.tone && cell.dim === other.dim
    })
  )
})

const GroupLine = memo(function GroupLine({
  group,
  selected,
  width,
  theme,
}: {
  readonly group: TableGroup<unknown>
  readonly selected: boolean
  readonly width: number
  readonly theme: Theme
}) {
  const { folded, open } = glyphsOf(theme)
  const count = ` (${formatCount(group.rows.length)})`
  const title = cutText(group.title ?? '', width - CURSOR_WIDTH - 2 - count.length, theme)
  return (
    <Line
      theme={theme}
      width={width}
      spans={[
        cursorSpan(selected, theme),
        { text: `${group.folded ? folded : open} ` },
        { text: title, bold: true },
        { text: count, dim: true },
      ]}
    />
  )
})
