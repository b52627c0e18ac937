import { byteLength } from '../../kernel/byte-length.ts'
import type { QuestionPreview } from '../../engine/model/consent-event.ts'
import { isObject, type JsonValue } from '../../kernel/json-value.ts'
import type { Redactor } from '../../kernel/redactor.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'
import type { CallPreview, Tool } from '../../tools/definition/tool.ts'
import type { DeskParts } from './desk-parts.ts'
import { type InputCheck, redactorFor } from './request/check-input.ts'
import type { RequestedCall } from './request/call-request.ts'
import { withTimeLimit } from '../commands/with-time-limit.ts'

/**
 * Returns what a call would do, for the person who is asked about it. A preview that fails, takes too long or is too
 * long is replaced by the reason. Rejects only when the signal is aborted.
 */
export async function makePreview(
  { request, signal }: RequestedCall,
  tool: Tool,
  { value }: InputCheck,
  { context, session, principal, limits }: DeskParts,
): Promise<QuestionPreview> {
  const redactor = redactorFor(context)
  const { caller, services, aiSdk } = request
  const about = { session, principal, tool: tool.name, caller, services, ...(aiSdk && { aiSdk }) }
  const make = (limited: AbortSignal) => tool.preview?.(value, { ...about, signal: limited })
  try {
    const preview = readPreview(
      await withTimeLimit('The preview', limits.checkMs, make, signal),
      redactor,
    )
    const bytes = byteLength(JSON.stringify(preview))
    if (bytes <= limits.keptBytes || preview.kind === 'missing') return preview
    // A person must not judge a part of a preview.
    return missing(`The preview is too long to be shown: ${bytes} bytes.`)
  } catch (problem) {
    if (signal.aborted) throw problem
    return missing(`The preview failed: ${redactor.text(thrownMessage(problem))}`)
  }
}

function missing(text: string): QuestionPreview {
  return { kind: 'missing', text: sanitiseText(text) }
}

function readPreview(made: CallPreview | undefined, redactor: Redactor): QuestionPreview {
  const safe = (text: string) => sanitiseText(redactor.text(text))
  if (typeof made === 'string') return { kind: 'text', text: safe(made) }
  if (Array.isArray(made) && made.every(isObject)) {
    const lines = made.map((item) => listLine(redactor.value(item as JsonValue) as object))
    return { kind: 'list', text: sanitiseText(lines.join('\n')) }
  }
  return isFileChange(made)
    ? { kind: 'diff', text: safe(fileDiff(made)) }
    : missing('The preview is neither text, nor the change of a file, nor a list of objects.')
}

type FileChange = Exclude<CallPreview, string | readonly object[]>

function isFileChange(made: unknown): made is FileChange {
  const isText = (text: unknown) => typeof text === 'string' || text === null
  return (
    isObject(made) &&
    typeof made['path'] === 'string' &&
    isText(made['before']) &&
    isText(made['after'])
  )
}

function listLine(item: object): string {
  const members = Object.entries(item).map(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')
    return `${name}: ${text.replaceAll(/\s+/g, ' ')}`
  })
  return `- ${members.join(', ')}`
}

/** Lines around a change. */
const AROUND = 3

/** Writes the change of a file in one piece: the lines from the first to the last that differ. */
function fileDiff({ path, before, after }: FileChange): string {
  const [old, next] = [splitLines(before), splitLines(after)]
  const least = Math.min(old.length, next.length)
  let start = 0
  while (start < least && old[start] === next[start]) start += 1
  let end = 0
  while (end < least - start && old.at(-1 - end) === next.at(-1 - end)) end += 1
  const marked = (mark: string, lines: readonly string[]) => lines.map((line) => mark + line)
  const from = Math.max(0, start - AROUND)
  return [
    `--- ${before === null ? '(no file)' : path}`,
    `+++ ${after === null ? '(no file)' : path}`,
    `@@ line ${from + 1} @@`,
    ...marked(' ', old.slice(from, start)),
    ...marked('-', old.slice(start, old.length - end)),
    ...marked('+', next.slice(start, next.length - end)),
    ...marked(' ', old.slice(old.length - end, old.length - end + AROUND)),
  ].join('\n')
}

function splitLines(text: string | null): readonly string[] {
  return text === null || text === '' ? [] : text.split('\n')
}
