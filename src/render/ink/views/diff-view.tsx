import { useMemo, type ReactElement } from 'react'
import type { ToolDifference } from '../../../engine/standing/tool-difference.ts'
import type { DocumentDiff } from '../../prompt/diff-documents.ts'
import { diffLines, type DiffLine } from './diff-lines.ts'
import { Line, type Span } from '../parts/line.tsx'
import { DEFAULT_THEME, type Theme } from '../parts/theme.ts'
import { WindowedRows } from '../parts/windowed-rows.tsx'

export interface DiffViewProps {
  readonly tools: ToolDifference
  readonly document: DocumentDiff
  /** Lines to scroll past, as `diffLines` counts them. */
  readonly scroll: number
  readonly width: number
  readonly height: number
  readonly theme?: Theme
}

/** How two moments differ: tokens, cache, tools, and each section of the prompt line by line. */
export function DiffView({
  tools,
  document,
  scroll,
  width,
  height,
  theme = DEFAULT_THEME,
}: DiffViewProps): ReactElement {
  const lines = useMemo(() => diffLines(tools, document, width), [tools, document, width])
  return (
    <WindowedRows
      count={lines.length}
      selected={-1}
      scroll={scroll}
      width={width}
      height={height}
      theme={theme}
      renderRow={(index) => {
        const line = lines[index]
        return <Line theme={theme} width={width} spans={line === undefined ? [] : [spanOf(line)]} />
      }}
    />
  )
}

function spanOf({ kind, text }: DiffLine): Span {
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
