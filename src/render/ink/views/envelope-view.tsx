import { type ReactElement, useMemo } from 'react'
import { sanitiseLine, sanitiseText } from '../../../kernel/sanitise-text.ts'
import type { Theme } from '../parts/theme.ts'
import { ScrolledLines } from '../parts/windowed-rows.tsx'
import { wrapLines } from '../../../kernel/display-width.ts'
import { partText } from '../../../tools/response/content-part.ts'
import type { ToolResponse } from '../../../tools/response/tool-response.ts'

export interface EnvelopeViewProps {
  readonly response: ToolResponse
  /** Lines to scroll past. */
  readonly scroll: number
  readonly width: number
  readonly height: number
  readonly theme?: Theme
}

/** The response of a call. */
export function EnvelopeView({ response, ...window }: EnvelopeViewProps): ReactElement {
  const { width } = window
  const lines = useMemo(() => envelopeLines(response, width), [response, width])
  return (
    <ScrolledLines
      {...window}
      lines={lines}
      spansFor={(text, index) => [
        index === 0
          ? { text, bold: true, tone: response.ok ? 'good' : 'bad' }
          : { text: text || ' ' },
      ]}
    />
  )
}

/** The lines of a response: its outcome, its parts as text, then its data or error as JSON. */
export function envelopeLines(response: ToolResponse, width: number): readonly string[] {
  const columns = Math.max(1, width)
  const { tool, call, durationMs, seq } = response.meta
  const parts = [
    `${response.ok ? 'DONE' : 'FAILED'}: ${sanitiseLine(tool)}, call ${sanitiseLine(call)}, ${durationMs} ms${seq === undefined ? '' : `, entry #${seq}`}`,
    ...(response.ok ? successParts(response) : failureParts(response.error)),
  ]
  return parts.flatMap((part) => wrapLines(sanitiseText(part), columns))
}

function successParts({
  data,
  content = [],
  intents,
}: Extract<ToolResponse, { ok: true }>): string[] {
  return [
    ...(content.length === 0 ? [] : ['', 'content', ...content.map(partText)]),
    '',
    'data',
    json(data),
    ...(intents.length === 0 ? [] : ['', 'intents', json(intents)]),
  ]
}

function failureParts({
  type,
  message,
  retryable,
  partialSideEffects,
  details,
}: Extract<ToolResponse, { ok: false }>['error']): string[] {
  return [
    `${type}: ${message}`,
    retryable ? 'A retry may help.' : 'A retry will not help.',
    ...(partialSideEffects ? ['It may have had side effects.'] : []),
    ...(Object.keys(details).length === 0 ? [] : ['', 'details', json(details)]),
  ]
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'null'
}
