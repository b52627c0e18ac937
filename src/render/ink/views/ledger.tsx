import { Box } from 'ink'
import { type ReactElement, useMemo } from 'react'
import { BudgetLine } from '../parts/budget-line.tsx'
import { formatCount, shareBar, shareText } from '../parts/format-count.ts'
import { Line } from '../parts/line.tsx'
import { type Column, columnWidths, CURSOR_WIDTH, TableLine } from '../parts/table-line.tsx'
import { DEFAULT_THEME, type Theme } from '../parts/theme.ts'
import { WindowedList } from '../parts/windowed-rows.tsx'
import type { LedgerGroup, LedgerRow } from './ledger-rows.ts'

export interface LedgerProps {
  /** From `ledgerRows`. */
  readonly groups: readonly LedgerGroup[]
  readonly selected: string | null
  /** Rows to scroll past, as far as the selection allows. */
  readonly scroll?: number | undefined
  /** The tokens of the next request. */
  readonly tokens: number
  readonly budget?: number | null
  readonly tokenizer: string
  readonly width: number
  readonly height: number
  readonly theme?: Theme
}

type Item =
  | { readonly id: string; readonly title: string; readonly whole: number }
  | { readonly id: string; readonly row: LedgerRow; readonly whole: number }

/** Label, tokens, share, bar. */
const COLUMNS: readonly Column[] = [
  { width: 12, grows: 1, rank: 0 },
  { width: 9, rank: 0 },
  { width: 6, rank: 1 },
  { width: 17, rank: 2 },
]

/** The tokens of the next request by part, of its text by source, and of skills and tools, with bars. */
export function Ledger({
  groups,
  selected,
  scroll,
  tokens,
  budget = null,
  tokenizer,
  width,
  height,
  theme = DEFAULT_THEME,
}: LedgerProps): ReactElement {
  const items = useMemo(() => groups.flatMap(listItems), [groups])
  const widths = columnWidths(COLUMNS, width - CURSOR_WIDTH)
  const barWidth = Math.max(0, (widths[3] ?? 0) - 1)
  return (
    <Box flexDirection="column" flexShrink={0} width={width} height={height}>
      <BudgetLine {...{ tokens, budget, tokenizer, width, theme }} />
      <WindowedList
        {...{ selected, scroll, width, theme }}
        rows={items}
        height={height - 1}
        renderRow={(item, isSelected) =>
          'title' in item ? (
            <Line
              theme={theme}
              width={width}
              spans={[
                { text: item.title, bold: true },
                // What shares below it are shares of.
                {
                  text: item.whole === 0 ? '' : `, shares of ${formatCount(item.whole)}`,
                  dim: true,
                },
              ]}
            />
          ) : (
            <TableLine
              cells={[
                { text: item.row.label },
                { text: formatCount(item.row.tokens), align: 'right' },
                { text: shareText(item.row.tokens, item.whole), align: 'right', dim: true },
                { text: shareBar(item.row.tokens / item.whole, barWidth, theme), tone: 'price' },
              ]}
              {...{ widths, width, theme }}
              selected={isSelected}
            />
          )
        }
      />
    </Box>
  )
}

/** The heading and the rows of a group; nothing for a group without rows. */
function listItems({ title, rows, whole }: LedgerGroup): Item[] {
  if (rows.length === 0) return []
  return [
    { id: `heading/${title}`, title, whole },
    ...rows.map((row) => ({ id: row.id, row, whole: row.whole ?? whole })),
  ]
}
