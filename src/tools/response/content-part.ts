import { byteLength } from '../../kernel/byte-length.ts'
import { isObject } from '../../kernel/json-value.ts'

/**
 * A part of a result for a model to read.
 *
 * `name` is for people: it may be a file name, and is never a path. A resource has either `text` or `data`.
 */
type PartWith<Data> =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'audio' | 'file'
      readonly mediaType: string
      readonly data: Data
      readonly name?: string
    }
  | {
      readonly type: 'resource'
      readonly uri: string
      readonly mediaType?: string
      readonly text?: string
      readonly data?: Data
      readonly name?: string
    }
  | {
      readonly type: 'resource-link'
      readonly uri: string
      readonly mediaType?: string
      readonly name?: string
      readonly description?: string
    }

/** A part of a result, as callers get it: checked, and with its data in base64. */
export type ContentPart = PartWith<string>

/** A part as handlers return it: bytes, or base64 with or without line breaks. */
export type ReturnedPart = PartWith<string | Uint8Array>

/** Returns true for a part in the form that callers get. Its base64 is not read. */
export function isContentPart(value: unknown): value is ContentPart {
  if (!isObject(value)) return false
  const { type, text, uri, mediaType, data } = value
  const areTexts = (...given: unknown[]) => given.every((one) => typeof one === 'string')
  switch (type) {
    case 'text':
      return areTexts(text)
    case 'image':
    case 'audio':
    case 'file':
      return areTexts(mediaType, data)
    case 'resource':
    case 'resource-link':
      return areTexts(uri, ...[text, mediaType, data].filter((one) => one !== undefined))
    default:
      return false
  }
}

/** A part with data in base64, which no text may contain. */
export type BinaryPart = Extract<ContentPart, { readonly data?: string }> & {
  readonly data: string
}

export function isBinaryPart(part: ContentPart): part is BinaryPart {
  return 'data' in part && part.data !== undefined
}

/** Returns the number of bytes that a part carries: of its data, or of its text in UTF-8; 0 for a link. */
export function partBytes(part: ContentPart): number {
  if (!isBinaryPart(part)) return byteLength('text' in part ? (part.text ?? '') : '')
  const { data } = part
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return (data.length / 4) * 3 - padding
}

/** Returns the type of a part with data of a media type. */
export function typeOfFile(mediaType: string): 'image' | 'audio' | 'file' {
  const [type] = mediaType.toLowerCase().split('/', 1)
  return type === 'image' || type === 'audio' ? type : 'file'
}

const SUBJECTS: Readonly<Record<ContentPart['type'], string>> = {
  text: 'A text',
  image: 'An image',
  audio: 'An audio file',
  file: 'A file',
  resource: 'A resource',
  'resource-link': 'A link to a resource',
}

/**
 * Describes a part in one sentence, with its name, media type and size, where there is no form for it:
 * `An image was returned: chart.png, image/png, 5.0 MB.`
 */
export function describePart(part: ContentPart): string {
  const { name, uri, mediaType, description } = part as {
    readonly [Member in 'name' | 'uri' | 'mediaType' | 'description']?: string
  }
  const size = part.type === 'resource-link' ? undefined : sizeText(partBytes(part))
  // An address for people ends before the data that it holds.
  const address = uri && (/^data:/iu.test(uri) ? `${uri.slice(0, uri.indexOf(',') + 1)}…` : uri)
  const details = [name, address, mediaType, size, description].filter((one) => one !== undefined)
  return `${SUBJECTS[part.type]} was returned: ${details.join(', ')}.`
}

/**
 * Writes a part as text: the text of a text part, the sentence that describes any other part, and the text
 * of a resource after it. Never base64.
 */
export function partText(part: ContentPart): string {
  if (part.type === 'text') return part.text
  const sentence = describePart(part)
  return part.type === 'resource' && part.text !== undefined
    ? `${sentence}\n\n${part.text}`
    : sentence
}

/** Returns bytes as people read them, in decimal units: `17 bytes`, `1.5 kB`, `5.0 MB`. */
function sizeText(bytes: number): string {
  if (bytes === 1) return '1 byte'
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 999_950 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
