import { useMemo, type ReactElement } from 'react'
import type { ToolResponse } from '../../../tools/response/tool-response.ts'
import { envelopeLines } from './envelope-lines.ts'
import { Line } from '../parts/line.tsx'
import { DEFAULT_THEME, type Theme } from '../parts/theme.ts'
import { WindowedRows } from '../parts/windowed-rows.tsx'

export interface EnvelopeViewProps {
  readonly response: ToolResponse
  /** Lines to scroll past, as `envelopeLines` counts them. */
  readonly scroll: number
  readonly width: number
  readonly height: number
  readonly theme?: Theme
}

/** What a call answered with. */
export function EnvelopeView({
  response,
  scroll,
  width,
  height,
  theme = DEFAULT_THEME,
}: EnvelopeViewProps): ReactElement {
  const lines = useMemo(() => envelopeLines(response, width), [response, width])
  return (
    <WindowedRows
      count={lines.length}
      selected={-1}
      scroll={scroll}
      width={width}
      height={height}
      theme={theme}
      renderRow={(index) => (
        <Line
          theme={theme}
          width={width}
          spans={[
            index === 0
              ? { text: lines[0] ?? '', bold: true, tone: response.ok ? 'good' : 'bad' }
              : { text: lines[index] || ' ' },
          ]}
        />
      )}
    />
  )
}
