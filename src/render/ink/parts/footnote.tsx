import { Box } from 'ink'
import type { ReactElement } from 'react'
import { cutText } from './fit-text.ts'
import { Line } from './line.tsx'
import type { Theme } from './theme.ts'
import { wrappedText } from './wrapped-text.ts'

export interface FootnoteProps {
  readonly text: string
  /** Exactly so many are drawn. */
  readonly lines: number
  readonly width: number
  readonly theme: Theme
}

/** Words about the row that the cursor is on, at the foot of a table; what does not fit is cut. */
export function Footnote({ text, lines: count, width, theme }: FootnoteProps): ReactElement {
  const lines = wrappedText(text, width)
  const last = cutText(lines.slice(count - 1).join(' '), width, theme)
  const told = lines.length < count ? lines : [...lines.slice(0, count - 1), last]
  const drawn = [...Array.from({ length: count - told.length }, () => ''), ...told]
  return (
    <Box flexDirection="column" flexShrink={0} width={width} height={count}>
      {drawn.map((line, at) => (
        <Line key={at} theme={theme} width={width} spans={[{ text: line || ' ', dim: true }]} />
      ))}
    </Box>
  )
}

/** How many lines of a table's height are its footnote: low ones keep all for their rows. */
export function footnoteLines(height: number): 0 | 1 | 2 {
  if (height < 6) return 0
  return height < 12 ? 1 : 2
}
