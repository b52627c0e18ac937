import { memo, type ReactElement, useMemo } from 'react'
import type { SkillStatus } from '../../../engine/standing/assess-skill.ts'
import { formatCount } from '../parts/format-count.ts'
import type { Tone } from '../parts/line.tsx'
import { skillStatusText } from '../parts/skill-status-text.ts'
import {
  type Cell,
  type Column,
  columnWidths,
  CURSOR_WIDTH,
  TableFrame,
  TableLine,
  type TableLineProps,
} from '../parts/table-line.tsx'
import { DEFAULT_THEME, type Glyphs, glyphsOf, type Theme } from '../parts/theme.ts'
import { WindowedList } from '../parts/windowed-rows.tsx'

/** A skill as one line shows it. */
export interface SkillTableRow {
  /** Unique: its name, or its name and path. */
  readonly id: string
  /** The id by default. */
  readonly name?: string
  /** Its depth in a tree; 0 by default. */
  readonly depth?: number
  readonly status: SkillStatus
  /** True when the rules deny a model to load it; false by default. */
  readonly off?: boolean
  /** The place it was read from, in a word; shown when the first row has one. */
  readonly scope?: string
  readonly tools: number
  /** Tokens of its instructions; null while they are not counted. */
  readonly tokens: number | null
  /** In words, such as `session` or `2 uses left`; empty while it is not active. */
  readonly lifetime: string
  /** The change on disk since it was read, in words; empty when it is unchanged. */
  readonly change: string
}

export interface SkillTableProps<Row extends SkillTableRow = SkillTableRow> {
  readonly rows: readonly Row[]
  readonly selected: string | null
  /** Rows to scroll past, as far as the selection allows. */
  readonly scroll?: number | undefined
  readonly width: number
  readonly height: number
  readonly theme?: Theme
  /** Text shown when there are no rows; `No skills.` by default. */
  readonly empty?: string
  /** Counts the tokens of a row that has none, null where they are not known; called only for rows in view. */
  tokensOf?(row: Row): number | null
}

/** Mark, name, status, tools, tokens, lifetime, change. */
const COLUMNS: readonly Column[] = [
  { width: 3, rank: 0 },
  { width: 15, grows: 1, rank: 0 },
  { width: 9, rank: 0 },
  { width: 6, rank: 2 },
  { width: 7, rank: 1 },
  { width: 12, rank: 4 },
  { width: 16, rank: 3 },
]

const SCOPE_COLUMN: Column = { width: 9, rank: 0 }

const HEAD: readonly Cell[] = [
  { text: '' },
  { text: 'SKILL' },
  { text: 'STATUS' },
  { text: 'TOOLS', align: 'right' },
  { text: 'TOKENS', align: 'right' },
  { text: 'LIFETIME' },
  { text: 'ON DISK' },
]

/** The largest share of the width for the status. */
const MOST_FOR_STATUS = 0.4

/** Skills, one per line. */
export function SkillTable<Row extends SkillTableRow>({
  rows,
  selected,
  scroll,
  width,
  height,
  theme = DEFAULT_THEME,
  empty = 'No skills.',
  tokensOf,
}: SkillTableProps<Row>): ReactElement {
  const longest = rows.reduce(
    (most, row) => Math.max(most, skillStatusText(row.status, row.off).length),
    0,
  )
  const isScoped = rows[0]?.scope !== undefined
  const statusWidth = Math.min(longest + 1, Math.floor(width * MOST_FOR_STATUS))
  const widths = useMemo(() => {
    const columns = COLUMNS.with(2, { width: statusWidth, rank: 0 })
    return columnWidths(withScope(columns, SCOPE_COLUMN, isScoped), width - CURSOR_WIDTH)
  }, [statusWidth, isScoped, width])
  return (
    <TableFrame
      {...{ widths, width, height, theme }}
      head={withScope(HEAD, { text: 'SCOPE' }, isScoped)}
      empty={rows.length === 0 ? empty : null}
    >
      {(rowsHeight) => (
        <WindowedList
          {...{ rows, selected, scroll, width, theme }}
          height={rowsHeight}
          renderRow={(row, isSelected) => (
            <SkillLine
              {...{ row, widths, width, theme }}
              tokens={row.tokens ?? tokensOf?.(row) ?? null}
              selected={isSelected}
            />
          )}
        />
      )}
    </TableFrame>
  )
}

/** Adds the column of scopes behind the status. */
function withScope<T>(columns: readonly T[], column: T, isScoped: boolean): readonly T[] {
  return isScoped ? columns.toSpliced(3, 0, column) : columns
}

/** Memoised: most frames change one or two lines. */
const SkillLine = memo(function SkillLine({
  row,
  tokens,
  ...rest
}: Omit<TableLineProps, 'cells'> & {
  readonly row: SkillTableRow
  readonly tokens: number | null
}) {
  const glyphs = glyphsOf(rest.theme)
  const { side, bottomLeft, line } = glyphs
  const { depth = 0 } = row
  // The branches before a name in a tree.
  const branch = depth === 0 ? '' : `${`${side} `.repeat(depth - 1)}${bottomLeft}${line} `
  const { glyph, tone } = MARKS[row.status]
  const cells: readonly Cell[] = [
    { text: glyphs[glyph] + (row.change === '' ? '' : '!'), tone },
    { text: branch + (row.name ?? row.id) },
    { text: skillStatusText(row.status, row.off), tone },
    { text: formatCount(row.tools), align: 'right' },
    { text: tokens === null ? '' : formatCount(tokens), align: 'right' },
    { text: row.lifetime },
    { text: row.change, tone: 'warning' },
  ]
  const scope = { text: row.scope ?? '' }
  return <TableLine {...rest} cells={withScope(cells, scope, row.scope !== undefined)} />
})

const MARKS: Readonly<Record<SkillStatus, { readonly glyph: keyof Glyphs; readonly tone?: Tone }>> =
  {
    active: { glyph: 'active', tone: 'good' },
    pending: { glyph: 'pending', tone: 'warning' },
    inactive: { glyph: 'inactive' },
    'not-permitted': { glyph: 'unusable', tone: 'warning' },
    conflicting: { glyph: 'unusable', tone: 'warning' },
    'missing-requirement': { glyph: 'unusable', tone: 'warning' },
    shadowed: { glyph: 'unusable', tone: 'warning' },
    broken: { glyph: 'unusable', tone: 'bad' },
    changed: { glyph: 'unusable', tone: 'bad' },
    unknown: { glyph: 'unusable', tone: 'bad' },
  }
