import type { ReactElement } from 'react'
import { BAR_WIDTH, formatCount, shareBar, shareText } from './format-count.ts'
import { Line } from './line.tsx'
import { DEFAULT_THEME, type Theme } from './theme.ts'

export interface BudgetLineProps {
  /** The tokens of the next request. */
  readonly tokens: number
  /** The most tokens it should take; null for no budget. */
  readonly budget: number | null
  readonly tokenizer: string
  readonly width: number
  readonly theme?: Theme
}

/** Narrower lines leave the bar out. */
const WIDE_ENOUGH_FOR_BAR = 40

/** The tokens of the next request, measured against its budget. */
export function BudgetLine({
  tokens,
  budget,
  tokenizer,
  width,
  theme = DEFAULT_THEME,
}: BudgetLineProps): ReactElement {
  if (budget === null) {
    const text = `request ${formatCount(tokens)} tokens (${tokenizer})`
    return <Line theme={theme} width={width} spans={[{ text }]} />
  }
  const isOver = tokens > budget
  const bar = shareBar(tokens / budget, BAR_WIDTH, theme)
  return (
    <Line
      theme={theme}
      width={width}
      spans={[
        { text: width < WIDE_ENOUGH_FOR_BAR ? '' : `${bar} `, tone: isOver ? 'bad' : 'good' },
        { text: `request ${formatCount(tokens)} of ${formatCount(budget)} tokens, ` },
        {
          text: isOver ? `OVER by ${formatCount(tokens - budget)}` : shareText(tokens, budget),
          bold: isOver,
          ...(isOver && { tone: 'bad' }),
        },
        { text: ` (${tokenizer})`, dim: true },
      ]}
    />
  )
}
