import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import { sanitiseText } from '../../../kernel/sanitise-text.ts'
import type { ToolResponse } from '../../../tools/response/tool-response.ts'
import { wrapLines } from '../../prompt/forms/wrap-lines.ts'

/** What a call answered with, as lines: how it went, then its data or error as JSON. */
export function envelopeLines(response: ToolResponse, width: number): readonly string[] {
  const columns = Math.max(1, width)
  const { tool, call, durationMs, seq } = response.meta
  const parts = [
    `${response.ok ? 'DONE' : 'FAILED'}: ${sanitiseLine(tool)}, call ${sanitiseLine(call)}, ${durationMs} ms${seq === undefined ? '' : `, entry #${seq}`}`,
    ...(response.ok ? successParts(response.data, response.intents) : failureParts(response.error)),
  ]
  return parts.flatMap((part) => wrapLines(sanitiseText(part), columns))
}

function successParts(data: unknown, intents: readonly unknown[]): string[] {
  return ['', 'data', json(data), ...(intents.length === 0 ? [] : ['', 'intents', json(intents)])]
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
    retryable ? 'Trying again may help.' : 'Trying again does not help.',
    ...(partialSideEffects ? ['Part of it may have happened.'] : []),
    ...(Object.keys(details).length === 0 ? [] : ['', 'details', json(details)]),
  ]
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'null'
}
