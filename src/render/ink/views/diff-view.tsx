import type { PricedChange } from '../../../engine/model/step-cost.ts'
import { type ReactElement, useMemo } from 'react'
import type { ToolDifference } from '../../../engine/standing/tool-table.ts'
import type { TextSpan } from '../parts/line.tsx'
import type { Theme } from '../parts/theme.ts'
import { ScrolledLines } from '../parts/windowed-rows.tsx'
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
export function DiffView({ tools, document, request, ...window }: DiffViewProps): ReactElement {
  const { width } = window
  const lines = useMemo(
    () => diffLines({ tools, document, request }, width),
    [tools, document, request, width],
  )
  return (
    <ScrolledLines
      {...window}
      lines={lines}
      spansFor={({ kind, text }) => [{ ...LOOKS[kind], text: text || ' ' }]}
    />
  )
}

const LOOKS: Readonly<Record<DiffLine['kind'], Omit<TextSpan, 'text'>>> = {
  heading: { bold: true },
  added: { tone: 'good' },
  removed: { tone: 'bad' },
  changed: { bold: true },
  same: {},
  note: { dim: true },
}
