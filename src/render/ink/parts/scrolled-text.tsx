import type { ReactElement } from 'react'
import { Line } from './line.tsx'
import { DEFAULT_THEME, type Theme } from './theme.ts'
import { WindowedRows } from './windowed-rows.tsx'

export interface ScrolledTextProps {
  /** One a line of the screen: wrap them before. */
  readonly lines: readonly string[]
  /** Lines to scroll past; more than there are is the end. */
  readonly scroll: number
  readonly width: number
  readonly height: number
  readonly theme?: Theme
}

/** A long text, of which only the part in view is drawn. */
export function ScrolledText({
  lines,
  scroll,
  width,
  height,
  theme = DEFAULT_THEME,
}: ScrolledTextProps): ReactElement {
  return (
    <WindowedRows
      count={lines.length}
      selected={-1}
      scroll={scroll}
      width={width}
      height={height}
      theme={theme}
      renderRow={(index) => (
        <Line theme={theme} width={width} spans={[{ text: lines[index] || ' ' }]} />
      )}
    />
  )
}
