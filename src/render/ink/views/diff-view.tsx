import type { PricedChange } from '../../../engine/model/step-cost.ts'
import { type ReactElement, useMemo } from 'react'
import type { ToolDifference } from '../../../engine/standing/tool-table.ts'
import { Line, type TextSpan } from '../parts/line.tsx'
import { DEFAULT_THEME, type Theme } from '../parts/theme.ts'
import { WindowedRows } from '../parts/windowed-rows.tsx'
import type { DocumentDiff } from '../../prompt/diff-documents.ts'
import { type DiffLine, diffLines } from './diff-lines.ts'

export interface DiffViewProps {
  readonly tools: ToolDifference
  readonly document: DocumentDiff
  /** The change of the next request; null when it is not known. */
  readonly request: PricedChange | null
  /** Lines to scroll past. */
  readonly scroll: number
  readonly width: number
  readonly height: number
  readonly theme?: Theme
  /** Takes the first line in view after the wheel moved it; without it the view keeps it itself. */
  readonly onScroll?: (top: number) => void
}

/** The difference between two moments: the next request, the tools, and the prompt line by line. */
export function DiffView({
  tools,
  document,
  request,
  theme = DEFAULT_THEME,
  ...window
}: DiffViewProps): ReactElement {
  const { width } = window
  const lines = useMemo(
    () => diffLines({ tools, document, request }, width),
    [tools, document, request, width],
  )
  return (
    <WindowedRows
      {...window}
      count={lines.length}
      selected={-1}
      theme={theme}
      renderRow={(index) => {
        const line = lines[index]
        return <Line theme={theme} width={width} spans={line === undefined ? [] : [spanOf(line)]} />
      }}
    />
  )
}

function spanOf({ kind, text }: DiffLine): TextSpan {
  const shown = text || ' '
  switch (kind) {
    case 'heading':
      return { text: shown, bold: true }
    case 'added':
      return { text: shown, tone: 'good' }
    case 'removed':
      return { text: shown, tone: 'bad' }
    case 'changed':
      return { text: shown, tone: 'warning' }
    case 'same':
      return { text: shown }
    case 'note':
      return { text: shown, dim: true }
  }
}
