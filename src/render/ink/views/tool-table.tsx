import { Box } from 'ink'
import { memo, type ReactElement, useMemo, useRef } from 'react'
import type { ToolStatus } from '../../../engine/standing/tool-status.ts'
import { cutText, wrappedText } from '../parts/fit-text.ts'
import { formatCount } from '../parts/format-count.ts'
import { Line, type Tone } from '../parts/line.tsx'
import {
  type Cell,
  type Column,
  columnWidths,
  CURSOR_WIDTH,
  cursorSpan,
  Footnote,
  footnoteLines,
  TableLine,
  type TableLineProps,
} from '../parts/table-line.tsx'
import { DEFAULT_THEME, type Glyphs, glyphsOf, type Theme } from '../parts/theme.ts'
import { ScrolledText, WindowedRows } from '../parts/windowed-rows.tsx'

/** A tool as its line shows it. */
export interface ToolTableRow {
  readonly id: string
  /** The id by default. */
  readonly name?: string
  readonly status: ToolStatus
  /** It is available, and a person is asked first. */
  readonly asks: boolean
  /** Of its definition; null while they are not counted. */
  readonly tokens: number | null
}

/** Tools under a heading: of one owner, or of one status. */
export interface ToolGroup<Row extends ToolTableRow = ToolTableRow> {
  readonly id: string
  readonly title: string
  readonly folded: boolean
  readonly rows: readonly Row[]
}

export interface ToolTableProps<Row extends ToolTableRow = ToolTableRow> {
  /** Those that are the same objects as before are not gone through again. */
  readonly groups: readonly ToolGroup<Row>[]
  /** Id of a tool, or of a group for its heading. */
  readonly selected: string | null
  /** Rows to scroll past, as far as the selection allows. */
  readonly scroll?: number | undefined
  readonly width: number
  readonly height: number
  readonly theme?: Theme
  /** Shown where there are no rows, wrapped; `No tools.` by default. */
  readonly empty?: string
  /** Why it stands as it does, in words; asked only for rows in view. */
  reasonOf(row: Row): string
  /** What its tokens are, where rows leave them out; asked only for rows in view. */
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
  { text: 'BECAUSE' },
]

/** Tools under headings, one a line, each with its reason; that of the selected one in more words below. */
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
  const keptItems = useRef(new WeakMap<ToolGroup<Row>, readonly Item<Row>[]>()).current
  const items = useMemo(() => allItems(groups, keptItems), [groups, keptItems])
  const widths = useMemo(() => columnWidths(COLUMNS, width - CURSOR_WIDTH), [width])
  if (items.length === 0) {
    const lines = wrappedText(empty, width)
    const rowsTaken = Math.min(height, lines.length)
    return <ScrolledText {...{ lines, width, theme }} scroll={0} height={rowsTaken} />
  }
  const footnote = footnoteLines(height)
  const extras = footnote > 0
  const cursor = selected === null ? -1 : items.findIndex(({ id }) => id === selected)
  const current = extras ? items[cursor] : undefined
  const reason = current !== undefined && 'row' in current ? reasonOf(current.row) : ''
  return (
    <Box flexDirection="column" flexShrink={0} width={width} height={height}>
      {extras && (
        <TableLine
          cells={HEAD.map((cell) => ({ ...cell, dim: true }))}
          widths={widths}
          selected={false}
          width={width}
          theme={theme}
        />
      )}
      <WindowedRows
        count={items.length}
        selected={cursor}
        scroll={scroll}
        width={width}
        height={extras ? height - 1 - footnote : height}
        theme={theme}
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
      {extras && <Footnote text={reason} lines={footnote} width={width} theme={theme} />}
    </Box>
  )
}

function allItems<Row extends ToolTableRow>(
  groups: readonly ToolGroup<Row>[],
  kept: WeakMap<ToolGroup<Row>, readonly Item<Row>[]>,
): readonly Item<Row>[] {
  const items: Item<Row>[] = []
  for (const group of groups) {
    let those = kept.get(group)
    if (those === undefined) kept.set(group, (those = itemsOf(group)))
    for (const item of those) items.push(item)
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

/** Drawn anew only when it says something else: most frames change one line or two. */
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
    case 'unknown':
      return { mark: glyphs.unusable, tone: 'bad' }
  }
}
