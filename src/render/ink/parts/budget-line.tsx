import type { ReactElement } from 'react'
import { formatCount, shareBar, shareText } from './format-count.ts'
import { Line } from './line.tsx'
import { DEFAULT_THEME, type Theme } from './theme.ts'

export interface BudgetLineProps {
  readonly tokens: number
  /** Tokens it should stay under; null when there is no such number. */
  readonly budget: number | null
  readonly tokenizer: string
  readonly width: number
  readonly theme?: Theme
}

/** From how many columns there is room for the bar. */
const WIDE_ENOUGH_FOR_BAR = 40

const BAR_WIDTH = 10

/** What a prompt costs, against its budget. */
export function BudgetLine({
  tokens,
  budget,
  tokenizer,
  width,
  theme = DEFAULT_THEME,
}: BudgetLineProps): ReactElement {
  if (budget === null) {
    const text = `${formatCount(tokens)} tokens (${tokenizer})`
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
        { text: `${formatCount(tokens)} of ${formatCount(budget)} tokens, ` },
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
