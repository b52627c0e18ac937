import { memo, type ReactElement, useMemo, useRef } from 'react'
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
  /** Groups that are the same objects as before are not walked again. */
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

type Item<Row extends ToolTableRow> =
  | { readonly id: string; readonly group: ToolGroup<Row> }
  | { readonly id: string; readonly row: Row }

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
  const itemCache = useRef(new WeakMap<ToolGroup<Row>, readonly Item<Row>[]>()).current
  const items = useMemo(() => allItems(groups, itemCache), [groups, itemCache])
  const widths = useMemo(() => columnWidths(COLUMNS, width - CURSOR_WIDTH), [width])
  const cursor = selected === null ? -1 : items.findIndex(({ id }) => id === selected)
  return (
    <TableFrame
      {...{ widths, width, height, theme }}
      head={HEAD}
      empty={items.length === 0 ? empty : null}
    >
      {(rowsHeight) => (
        <WindowedRows
          {...{ scroll, width, theme }}
          count={items.length}
          selected={cursor}
          height={rowsHeight}
          keyOf={(index) => items[index]?.id ?? String(index)}
          renderRow={(index) => {
            const item = items[index]
            if (item === undefined) return <></>
            const shared = { selected: index === cursor, width, theme }
            if ('group' in item) return <GroupLine {...shared} group={item.group} />
            return (
              <ToolLine
                {...shared}
                row={item.row}
                tokens={item.row.tokens ?? tokensOf?.(item.row) ?? null}
                reason={widths[4] === 0 ? '' : reasonOf(item.row)}
                widths={widths}
              />
            )
          }}
        />
      )}
    </TableFrame>
  )
}

function allItems<Row extends ToolTableRow>(
  groups: readonly ToolGroup<Row>[],
  cache: WeakMap<ToolGroup<Row>, readonly Item<Row>[]>,
): readonly Item<Row>[] {
  const items: Item<Row>[] = []
  for (const group of groups) {
    let own = cache.get(group)
    if (own === undefined) cache.set(group, (own = itemsOf(group)))
    for (const item of own) items.push(item)
  }
  return items
}

function itemsOf<Row extends ToolTableRow>(group: ToolGroup<Row>): readonly Item<Row>[] {
  const heading: Item<Row> = { id: group.id, group }
  return group.folded ? [heading] : [heading, ...group.rows.map((row) => ({ id: row.id, row }))]
}

interface ToolLineProps extends Omit<TableLineProps, 'cells'> {
  readonly row: ToolTableRow
  readonly tokens: number | null
  readonly reason: string
}

/** Memoised: most frames change one or two lines. */
const ToolLine = memo(function ToolLine({ row, tokens, reason, ...rest }: ToolLineProps) {
  return <TableLine {...rest} cells={cellsOf(row, tokens, reason, glyphsOf(rest.theme))} />
})

interface GroupLineProps {
  readonly group: ToolGroup
  readonly selected: boolean
  readonly width: number
  readonly theme: Theme
}

const GroupLine = memo(function GroupLine({ group, selected, width, theme }: GroupLineProps) {
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

function cellsOf(row: ToolTableRow, tokens: number | null, reason: string, glyphs: Glyphs): Cell[] {
  const { mark, tone } = markOf(row.status, glyphs)
  return [
    { text: mark, tone },
    { text: row.name ?? row.id },
    { text: row.asks ? `${row.status}, asks` : row.status, tone: row.asks ? 'warning' : tone },
    { text: tokens === null ? '' : formatCount(tokens), align: 'right' },
    { text: reason, dim: true },
  ]
}

function markOf(status: ToolStatus, glyphs: Glyphs): { mark: string; tone?: Tone } {
  switch (status) {
    case 'available':
      return { mark: glyphs.active, tone: 'good' }
    case 'not-exposed':
    case 'skill-inactive':
    case 'disabled':
      return { mark: glyphs.inactive }
    case 'denied':
    case 'blocked-by-mode':
    case 'budget-spent':
    case 'shadowed':
      return { mark: glyphs.unusable, tone: 'warning' }
    case 'changed':
    case 'unbound':
    case 'gone':
    case 'unknown':
      return { mark: glyphs.unusable, tone: 'bad' }
  }
}
