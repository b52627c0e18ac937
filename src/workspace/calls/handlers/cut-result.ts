import { byteLength } from '../../../kernel/byte-length.ts'
import type { JsonValue } from '../../../kernel/json-value.ts'
import type { ContentPart } from '../../../tools/response/content-part.ts'
import type { CutResult, HandlerAnswer } from './handler-answer.ts'
import { bytesWithoutData } from './plain-content.ts'

type Success = Extract<HandlerAnswer, { ok: true }>

/**
 * Cuts a result to a number of bytes of JSON. Long texts and lists lose their ends; objects keep their members. Of a
 * result with parts, the model reads the parts, so the data gets only the bytes that they leave.
 *
 * @param size the data as JSON, and its bytes with those of the parts
 */
export function cutResult(
  answer: Success,
  { json, bytes }: { readonly json: string; readonly bytes: number },
  maxBytes: number,
): Success {
  const { data, content } = answer
  const whole =
    content !== undefined ? wholeText(data, content) : typeof data === 'string' ? data : json
  const cut: CutResult = { bytes, whole }
  if (content === undefined) return { ...answer, data: cutJson(data, maxBytes), cut }
  const parts = cutParts(content, maxBytes)
  const left = Math.max(0, maxBytes - bytesWithoutData(parts))
  return { ...answer, data: cutJson(data, left), content: parts, cut }
}

function wholeText(data: JsonValue, content: readonly ContentPart[]): string {
  return JSON.stringify({ data, content: content.map((part) => ({ ...part, data: undefined })) })
}

/** Cuts JSON to a number of bytes. Null if not even its shortest form fits. */
export function cutJson(value: JsonValue, maxBytes: number): JsonValue {
  for (let longest = maxBytes; longest >= 1; longest = Math.floor(longest / 2)) {
    const cut = cutMember(value, { longest, most: maxBytes })
    if (cut !== null) return cut.value
  }
  return null
}

interface Room {
  /** Bytes that one text or list may have. */
  readonly longest: number
  /** Bytes that are left. */
  readonly most: number
}

interface CutValue {
  readonly value: JsonValue
  readonly bytes: number
}

/** A text of which less is left says nothing: then members of objects are left out, too. */
const SHORTEST = 128

/** Returns null for a value that does not fit, and should be cut shorter. */
function cutMember(value: JsonValue, { longest, most }: Room): CutValue | null {
  if (typeof value === 'string') return cutText(value, Math.min(longest, most))
  if (Array.isArray(value)) return cutList(value, { longest, most: Math.min(longest, most) })
  if (typeof value === 'object' && value !== null) {
    return cutObject(value as Readonly<Record<string, JsonValue>>, { longest, most })
  }
  const bytes = String(value).length
  return bytes > most ? null : { value, bytes }
}

function cutList(items: readonly JsonValue[], { longest, most }: Room): CutValue | null {
  const kept: JsonValue[] = []
  let bytes = 2
  for (const item of items) {
    const before = bytes + (kept.length === 0 ? 0 : 1)
    const cut = cutMember(item, { longest, most: most - before })
    if (cut === null) break
    kept.push(cut.value)
    bytes = before + cut.bytes
  }
  return bytes > most ? null : { value: kept, bytes }
}

function cutObject(
  members: Readonly<Record<string, JsonValue>>,
  { longest, most }: Room,
): CutValue | null {
  const kept: [string, JsonValue][] = []
  let bytes = 2
  for (const [key, member] of Object.entries(members)) {
    const before = bytes + (kept.length === 0 ? 0 : 1) + jsonBytes(key) + 1
    const cut = cutMember(member, { longest, most: most - before })
    if (cut === null && longest > SHORTEST) return null
    if (cut === null) break
    kept.push([key, cut.value])
    bytes = before + cut.bytes
  }
  // Unlike an assignment, it gives a key named `__proto__` its value.
  return bytes > most ? null : { value: Object.fromEntries(kept), bytes }
}

/** Cuts a text so that it has at most this many bytes as JSON. Escapes may take six bytes for a character. */
function cutText(text: string, most: number): CutValue | null {
  const bytes = text.length + 2 > most ? Infinity : jsonBytes(text)
  if (bytes <= most) return { value: text, bytes }
  for (let length = Math.min(text.length, most - 5); length > 0;) {
    const value = `${text.slice(0, length).toWellFormed()}…`
    const size = jsonBytes(value)
    if (size <= most) return { value, bytes: size }
    length = Math.min(length - 1, Math.floor((length * most) / size))
  }
  return null
}

function jsonBytes(text: string): number {
  return byteLength(JSON.stringify(text))
}

/** Cuts the texts of parts. Parts with data have a limit of their own. */
function cutParts(content: readonly ContentPart[], maxBytes: number): readonly ContentPart[] {
  let left = maxBytes
  return content.flatMap((part): readonly ContentPart[] => {
    const bytes = bytesWithoutData([part])
    if (bytes <= left) {
      left -= bytes
      return [part]
    }
    if (!('text' in part) || part.text === undefined) return []
    const cut = cutText(part.text, left - bytesWithoutData([{ ...part, text: '' }]))
    left = 0
    return cut === null ? [] : [{ ...part, text: cut.value as string }]
  })
}
