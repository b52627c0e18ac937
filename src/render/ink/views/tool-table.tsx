import { memo, type ReactElement, useMemo } from 'react'
import type { ToolStatus } from '../../../engine/standing/tool-status.ts'
import { cutText } from '../parts/fit-text.ts'
import { formatCount } from '../parts/format-count.ts'
import { Line, type Tone } from '../parts/line.tsx'
import {
  type Cell,
  type Column,
  columnWidths,
  CURSOR_WIDTH,
  cursorSpan,
  TableFrame,
  TableLine,
  type TableLineProps,
} from '../parts/table-line.tsx'
import { DEFAULT_THEME, type Glyphs, glyphsOf, type Theme } from '../parts/theme.ts'
import { WindowedRows } from '../parts/windowed-rows.tsx'

/** A tool as one line shows it. */
export interface ToolTableRow {
  readonly id: string
  /** The id by default. */
  readonly name?: string
  readonly status: ToolStatus
  /** True when it is available and asks for approval first. */
  readonly asks: boolean
  /** Tokens of its definition; null while they are not counted. */
  readonly tokens: number | null
}

/** The tools under one heading: those of one owner, or of one status. */
export interface ToolGroup<Row extends ToolTableRow = ToolTableRow> {
  readonly id: string
  readonly title: string
  readonly folded: boolean
  readonly rows: readonly Row[]
}

export interface ToolTableProps<Row extends ToolTableRow = ToolTableRow> {
  readonly groups: readonly ToolGroup<Row>[]
  /** Id of a tool, or of a group to select its heading. */
  readonly selected: string | null
  /** Rows to scroll past, as far as the selection allows. */
  readonly scroll?: number | undefined
  readonly width: number
  readonly height: number
  readonly theme?: Theme
  /** Text shown when there are no rows; `No tools.` by default. */
  readonly empty?: string
  /** Returns the reason for its status, in words; called only for rows in view. */
  reasonOf(row: Row): string
  /** Counts the tokens of a row that has none; called only for rows in view. */
  tokensOf?(row: Row): number
}

/** Mark, name, status, tokens, reason. */
const COLUMNS: readonly Column[] = [
  { width: 2, rank: 0 },
  { width: 16, grows: 1, rank: 0 },
  { width: 16, rank: 0 },
  { width: 8, rank: 1 },
  { width: 24, grows: 3, rank: 2 },
]

const HEAD: readonly Cell[] = [
  { text: '' },
  { text: 'TOOL' },
  { text: 'STATUS' },
  { text: 'TOKENS', align: 'right' },
  { text: 'REASON' },
]

/** Tools under headings, one per line, each with its reason. */
export function ToolTable<Row extends ToolTableRow>({
  groups,
  selected,
  scroll,
  width,
  height,
  theme = DEFAULT_THEME,
  empty = 'No tools.',
  reasonOf,
  tokensOf,
}: ToolTableProps<Row>): ReactElement {
  const starts = useMemo(() => startLines(groups), [groups])
  const count = starts.at(-1) ?? 0
  const widths = useMemo(() => columnWidths(COLUMNS, width - CURSOR_WIDTH), [width])
  const cursor = useMemo(
    () => (selected === null ? -1 : findLine(selected, groups, starts)),
    [selected, groups, starts],
  )
  return (
    <TableFrame
      {...{ widths, width, height, theme }}
      head={HEAD}
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
            return (row ?? group)?.id ?? String(index)
          }}
          renderRow={(index) => {
            const { group, row } = itemAt(index, groups, starts)
            const shared = { selected: index === cursor, width, theme }
            if (group === undefined) return <></>
            if (row === undefined) return <GroupLine {...shared} group={group} />
            return (
              <ToolLine
                {...shared}
                row={row}
                tokens={row.tokens ?? tokensOf?.(row) ?? null}
                reason={widths[4] === 0 ? '' : reasonOf(row)}
                widths={widths}
              />
            )
          }}
        />
      )}
    </TableFrame>
  )
}

type Groups<Row extends ToolTableRow> = readonly ToolGroup<Row>[]

/** Returns the line of each heading, then the number of all lines. A list of all lines would be made at each change. */
function startLines(groups: Groups<ToolTableRow>): readonly number[] {
  const starts = [0]
  let end = 0
  for (const { folded, rows } of groups) starts.push((end += folded ? 1 : 1 + rows.length))
  return starts
}

/** Returns the heading or the tool on a line: the group, and the row of a tool. */
function itemAt<Row extends ToolTableRow>(
  index: number,
  groups: Groups<Row>,
  starts: readonly number[],
): { readonly group?: ToolGroup<Row> | undefined; readonly row?: Row | undefined } {
  let [place, after] = [0, groups.length]
  while (after - place > 1) {
    const middle = (place + after) >> 1
    if ((starts[middle] ?? 0) <= index) place = middle
    else after = middle
  }
  const group = groups[place]
  return { group, row: group?.rows[index - (starts[place] ?? 0) - 1] }
}

/** Returns the line of a heading or a tool; -1 for one that is not listed. */
function findLine<Row extends ToolTableRow>(
  id: string,
  groups: Groups<Row>,
  starts: readonly number[],
): number {
  for (const [place, group] of groups.entries()) {
    const start = starts[place] ?? 0
    if (group.id === id) return start
    const row = group.folded ? -1 : group.rows.findIndex((one) => one.id === id)
    if (row >= 0) return start + 1 + row
  }
  return -1
}

/** Memoised: most frames change one or two lines. */
const ToolLine = memo(function ToolLine({
  row,
  tokens,
  reason,
  ...rest
}: Omit<TableLineProps, 'cells'> & {
  readonly row: ToolTableRow
  readonly tokens: number | null
  readonly reason: string
}) {
  const { glyph, tone } = MARKS[row.status]
  const cells: readonly Cell[] = [
    { text: glyphsOf(rest.theme)[glyph], tone },
    { text: row.name ?? row.id },
    { text: row.asks ? `${row.status}, asks` : row.status, tone: row.asks ? 'warning' : tone },
    { text: tokens === null ? '' : formatCount(tokens), align: 'right' },
    { text: reason, dim: true },
  ]
  return <TableLine {...rest} cells={cells} />
})

const GroupLine = memo(function GroupLine({
  group,
  selected,
  width,
  theme,
}: {
  readonly group: ToolGroup
  readonly selected: boolean
  readonly width: number
  readonly theme: Theme
}) {
  const { folded, open } = glyphsOf(theme)
  const count = ` (${formatCount(group.rows.length)})`
  const title = cutText(group.title, width - CURSOR_WIDTH - 2 - count.length, theme)
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

const MARKS: Readonly<Record<ToolStatus, { readonly glyph: keyof Glyphs; readonly tone?: Tone }>> =
  {
    available: { glyph: 'active', tone: 'good' },
    'not-exposed': { glyph: 'inactive' },
    'skill-inactive': { glyph: 'inactive' },
    disabled: { glyph: 'inactive' },
    denied: { glyph: 'unusable', tone: 'warning' },
    'blocked-by-mode': { glyph: 'unusable', tone: 'warning' },
    'budget-spent': { glyph: 'unusable', tone: 'warning' },
    shadowed: { glyph: 'unusable', tone: 'warning' },
    changed: { glyph: 'unusable', tone: 'bad' },
    unbound: { glyph: 'unusable', tone: 'bad' },
    gone: { glyph: 'unusable', tone: 'bad' },
    unknown: { glyph: 'unusable', tone: 'bad' },
  }
