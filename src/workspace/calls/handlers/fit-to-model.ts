import { byteLength, utf8 } from '../../../kernel/byte-length.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import { type ContentPart, isBinaryPart, partText } from '../../../tools/response/content-part.ts'
import { tryOrUndefined } from '../../../kernel/thrown-message.ts'
import type { HandlerAnswer } from './handler-answer.ts'

type Success = Extract<HandlerAnswer, { ok: true }>

/** The bounds of what a model reads of one result, and how it can read on. */
export interface ReadingTerms {
  readonly tokens: number
  readonly maxBytes: number
  readonly counter: TokenCounter
  /** The short name of the call, for the meta-tool `read_result`; null when the rest cannot be read. */
  readonly handle: string | null
}

/** The text of a result as a model reads it: all of it, also what memory limits cut. Null for a result that was left out. */
export function readableText(given: Success): string | null {
  const { content, cut } = given
  if (cut === undefined) return shownText(given)
  if (cut.whole === null || content === undefined) return cut.whole
  const { content: parts } = JSON.parse(cut.whole) as { readonly content: readonly ContentPart[] }
  return textOfParts(parts)
}

/** The text of a result that a model gets: its parts without those with data, or the data. */
export function shownText({ data, content }: Pick<Success, 'data' | 'content'>): string {
  if (content !== undefined) return textOfParts(content)
  return typeof data === 'string' ? data : JSON.stringify(data)
}

function textOfParts(content: readonly ContentPart[]): string {
  return content.flatMap((part) => (isBinaryPart(part) ? [] : partText(part))).join('\n\n')
}

/**
 * Cuts what a model reads of a result to a number of tokens, and says how much there is and how to read on. The data stays
 * unchanged for the host. Returns the same object when nothing is cut.
 *
 * @param text all that a model could read of it
 */
export function fitToModel<Given extends Success>(
  given: Given,
  text: string,
  { tokens, maxBytes, counter, handle }: ReadingTerms,
): Given {
  const shown = Math.min(headWithin(text, tokens, counter), headOfBytes(text, maxBytes))
  if (shown === text.length) return given
  const { content = [], meta, cut } = given
  const about = Math.round(countedTokens(text, counter))
  const note = `The result was cut. It has ${text.length} characters (about ${about} tokens), and these are the first ${shown}. The tool has done its work.${handle === null ? ' The rest was not kept.' : readOn(handle, shown)}`
  const bytes = cut?.bytes ?? byteLength(text)
  const { warnings } = meta ?? {}
  return {
    ...given,
    content: [
      ...(shown === 0 ? [] : [{ type: 'text' as const, text: text.slice(0, shown) }]),
      ...content.filter(isBinaryPart),
      { type: 'text', text: note },
    ],
    cut: { bytes, whole: cut?.whole ?? null, shown, length: text.length },
    meta: {
      ...meta,
      warnings: [...(Array.isArray(warnings) ? (warnings as string[]) : []), note],
      cut: bytes,
    },
  }
}

function readOn(handle: string, from: number): string {
  return ` Read on with read_result: {"call":"${handle}","from":${from}}; "search" finds a text in it, and "path" a member of JSON.`
}

/** Characters that are counted at once. */
const CHUNK = 4_000

/** Returns how many characters from the start have at most these tokens, by parts: never half of a surrogate pair. */
export function headWithin(text: string, tokens: number, counter: TokenCounter): number {
  // Hardly any text has more tokens than characters.
  if (text.length * 4 <= tokens) return text.length
  let left = tokens
  let at = 0
  while (at < text.length) {
    let end = wholeAt(text, Math.min(text.length, at + CHUNK))
    let count = counter.count(text.slice(at, end))
    const isLast = count > left
    while (count > left && end > at) {
      end = wholeAt(text, at + Math.min(end - at - 1, Math.floor(((end - at) * left) / count)))
      count = end <= at ? 0 : counter.count(text.slice(at, end))
    }
    at = Math.max(at, end)
    left -= count
    if (isLast || left <= 0) return at
  }
  return at
}

function headOfBytes(text: string, most: number): number {
  if (text.length * 3 <= most || byteLength(text) <= most) return text.length
  const head = utf8(text.slice(0, most)).subarray(0, most)
  return new TextDecoder().decode(head, { stream: true }).length
}

/** Returns a place at which no surrogate pair is cut. */
export function wholeAt(text: string, at: number): number {
  const code = at > 0 && at < text.length ? text.charCodeAt(at - 1) : 0
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at
}

/** Characters of a text that are counted; the rest is estimated from them. */
const MAX_COUNTED_LENGTH = 20_000

/** Counts the tokens of a text; those of a long one are estimated from its beginning. */
export function countedTokens(text: string, counter: TokenCounter): number {
  const head = text.slice(0, MAX_COUNTED_LENGTH)
  return counter.count(head) * (text.length / Math.max(1, head.length))
}

/** Returns true for a result that says nothing. */
export function findsNothing(given: Success): boolean {
  const { data, content, cut } = given
  if (cut !== undefined) return false
  if (content === undefined) return isEmpty(data)
  return !content.some(isBinaryPart) && isEmpty(textOfParts(content))
}

/** Characters of the longest text that may say nothing. */
const LONGEST_EMPTY = 1_000

/** Returns true for nothing, also as JSON: lists without items, and objects of them and of zeros. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') {
    if (value.length > LONGEST_EMPTY) return false
    const json: unknown = tryOrUndefined(() => JSON.parse(value))
    return value.trim() === '' || (typeof json === 'object' && isEmpty(json))
  }
  if (value === null) return true
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.length === 0
  const members: readonly unknown[] = Object.values(value)
  if (members.length === 0) return true
  const isNothing = (one: unknown) => one === 0 || one === false || one === '' || isEmpty(one)
  return members.some(Array.isArray) && members.every(isNothing)
}
