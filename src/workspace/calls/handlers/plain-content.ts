import { types } from 'node:util'
import { byteLength, fromBase64, toBase64 } from '../../../kernel/byte-length.ts'
import { isObject } from '../../../kernel/json-value.ts'
import type { Redactor } from '../../../kernel/redactor.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import { shorten, tryOrUndefined } from '../../../kernel/thrown-message.ts'
import type { ContentPart } from '../../../tools/response/content-part.ts'
import { type JsonLimits, type JsonRefusal, jsonResult } from './json-result.ts'

/** The limits of a result. */
export interface ResultLimits extends JsonLimits {
  /** Bytes of the data of all parts, before base64. */
  readonly contentBytes: number
  /** True to replace parts with more data by a sentence, instead of refusing them all. */
  readonly cutsParts?: boolean
  /** Hides the secrets of names, before only their last segments are left. */
  readonly redactor?: Redactor | undefined
}

/** The parts of a result, and the bytes of JSON so far; or why they cannot be. */
type PlainContent =
  | { readonly ok: true; readonly parts: readonly ContentPart[]; readonly bytes: number }
  | JsonRefusal

/**
 * Copies the parts of a result: data becomes base64, media types are checked, and names are made safe. Never
 * throws. Every size is measured before anything is copied.
 *
 * `maxBytes` counts the JSON of the parts without their data, together with the JSON of the result.
 */
export function plainContent(given: unknown, limits: ResultLimits): PlainContent {
  const read = tryOrUndefined(() => readParts(given, limits))
  return read ?? refusal('holds parts that cannot be read', PART_HINT, '/content')
}

/** Returns the bytes of parts that count as JSON: all but their data. */
export function bytesWithoutData(content: readonly ContentPart[]): number {
  const texts = content.map((part) => JSON.stringify({ ...part, data: undefined }))
  return texts.reduce((bytes, text) => bytes + byteLength(text), 0)
}

function readParts(given: unknown, limits: ResultLimits): PlainContent {
  if (!Array.isArray(given)) {
    return refusal('holds content that is not a list of parts', PART_HINT, '/content')
  }
  const parts: ContentPart[] = []
  let { bytes = 0 } = limits
  let dataLeft = limits.contentBytes
  for (let index = 0; index < given.length; index += 1) {
    const at = `/content/${index}`
    const members = readMembers(given[index], { ...limits, bytes }, at)
    if (!members.ok) return members
    const data = readData(members.data, dataLeft, at)
    if (data === 'too-large') {
      if (limits.cutsParts !== true) return tooMuchData(limits)
      parts.push({ type: 'text', text: leftOutText(members.plain, limits) })
      bytes = members.bytes
      continue
    }
    if (!data.ok) return data
    const part = checkedPart(members.plain, data.base64, at)
    if ('message' in part) return part
    parts.push(part)
    bytes = members.bytes
    dataLeft -= data.bytes
  }
  return { ok: true, parts, bytes }
}

interface PartMembers {
  readonly ok: true
  readonly data: unknown
  /** The others, as JSON. */
  readonly plain: PlainMembers
  readonly bytes: number
}

type PlainMembers = Readonly<Record<string, unknown>>

/** Reads each member of a part once. */
function readMembers(given: unknown, limits: ResultLimits, at: string): PartMembers | JsonRefusal {
  if (!isObject(given)) return refusal('holds a part that is not an object', PART_HINT, at)
  const { data, ...others } = given as PlainMembers
  const { name } = others
  const isHidden = limits.redactor !== undefined && typeof name === 'string'
  const shown = isHidden ? { ...others, name: limits.redactor.text(name) } : others
  const plain = jsonResult(shown, limits)
  if (plain.ok) return { ok: true, data, plain: plain.value as PlainMembers, bytes: plain.bytes }
  return plain.path === '' ? plain : { ...plain, path: `${at}${plain.path}` }
}

interface PartData {
  readonly ok: true
  /** Undefined for a part without data. */
  readonly base64: string | undefined
  readonly bytes: number
}

/** Reads the data of a part, if it is not larger than what the earlier parts left. */
function readData(
  given: unknown,
  dataLeft: number,
  at: string,
): PartData | JsonRefusal | 'too-large' {
  if (given === undefined) return { ok: true, base64: undefined, bytes: 0 }
  if (types.isUint8Array(given)) {
    const bytes = given.length
    if (bytes > dataLeft) return 'too-large'
    return { ok: true, base64: toBase64(given), bytes }
  }
  if (typeof given !== 'string') {
    return refusal('holds a part whose data is neither bytes nor base64', DATA_HINT, `${at}/data`)
  }
  // Line breaks, which some encoders write, take a few per cent.
  if (given.length * 0.7 > dataLeft + 4) return 'too-large'
  const base64 = /[\r\n]/v.test(given) ? given.replaceAll(/[\r\n]/gv, '') : given
  const read = fromBase64(base64)
  const bytes = read.length
  if (bytes > dataLeft) return 'too-large'
  // Node skips what is not base64: only the text that it writes again is valid.
  return toBase64(read) === base64
    ? { ok: true, base64, bytes }
    : refusal('holds a part whose data is not base64', DATA_HINT, `${at}/data`)
}

/** Checks the members of a part, and leaves out those that no part of its type has. */
function checkedPart(
  members: PlainMembers,
  data: string | undefined,
  at: string,
): ContentPart | JsonRefusal {
  const { type, text, uri, name, description } = members
  const isText = typeof text === 'string'
  const refused = (message: string, hint: string, member: string) =>
    refusal(`holds a ${message}`, hint, `${at}/${member}`)
  const mediaType = mediaTypeOf(members['mediaType'])
  if (mediaType === null) return refused('part with an invalid media type', TYPE_HINT, 'mediaType')
  const named = {
    ...(mediaType !== undefined && { mediaType }),
    ...optionalLine('name', name, safeName),
  }
  switch (type) {
    case 'text':
      return isText ? { type, text } : refused('text part without text', PART_HINT, 'text')
    case 'image':
    case 'audio':
    case 'file': {
      if (mediaType === undefined)
        return refused('part without a media type', TYPE_HINT, 'mediaType')
      const isOther = type !== 'file' && !mediaType.startsWith(`${type}/`)
      if (isOther)
        return refused(
          `part of type "${type}" with the media type of another`,
          FILE_HINT,
          'mediaType',
        )
      if (data === undefined) return refused('part without data', DATA_HINT, 'data')
      return { type, ...named, mediaType, data }
    }
    case 'resource':
      if (!isUri(uri)) return refused('resource without a valid URI', URI_HINT, 'uri')
      if (isText) {
        if (data === undefined) return { type, uri, ...named, text }
        return refused('resource with both text and data', 'Keep one of them.', 'data')
      }
      if (data === undefined) return refused('resource without text or data', LINK_HINT, 'text')
      return { type, uri, ...named, data }
    case 'resource-link':
      if (!isUri(uri)) return refused('link without a valid URI', URI_HINT, 'uri')
      return { type, uri, ...named, ...optionalLine('description', description, safeLine) }
    default:
      return refused('part of an unknown type', PART_HINT, 'type')
  }
}

/** A type and a subtype: names of RFC 6838. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/u

/** Returns a media type in small letters and without parameters; null for what is none. */
function mediaTypeOf(given: unknown): string | null | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'string') return null
  const [essence = ''] = given.split(';', 1)
  const mediaType = essence.trim().toLowerCase()
  return MEDIA_TYPE.test(mediaType) ? mediaType : null
}

/** Characters of an address; a longer one holds data. */
const MAX_URI = 2_000

function isUri(given: unknown): given is string {
  return (
    typeof given === 'string' &&
    given.length <= MAX_URI &&
    URL.canParse(given) &&
    !/\s/v.test(given) &&
    sanitiseLine(given) === given
  )
}

/** Characters of a name. */
const MAX_NAME = 200

function optionalLine<K extends string>(
  key: K,
  given: unknown,
  safe: (text: string) => string,
): { readonly [member in K]?: string } {
  const line = typeof given === 'string' ? safe(given) : ''
  return line === '' ? {} : ({ [key]: line } as { readonly [member in K]: string })
}

/** Returns the last segment of a path, on one line and without hidden characters; `''` for dots alone. */
function safeName(given: string): string {
  const segment = given.split(/[\/\\]/v).findLast((one) => one.trim() !== '') ?? ''
  const line = sanitiseLine(segment)
  const name = line.length <= MAX_NAME ? line : `${line.slice(0, MAX_NAME - 1).toWellFormed()}…`
  return /^\.*$/v.test(name) ? '' : name
}

function safeLine(given: string): string {
  return shorten(sanitiseLine(given))
}

/** Says which part is not there, in one sentence. */
function leftOutText({ type, name, mediaType }: PlainMembers, { contentBytes }: ResultLimits) {
  const details = [name, mediaType].filter((one) => typeof one === 'string').map(safeLine)
  const what = [`A part of the type ${safeLine(String(type))} was left out`, ...details].join(', ')
  return `${what}: the parts of a result may have ${contentBytes} bytes of data.`
}

function tooMuchData({ contentBytes }: ResultLimits): JsonRefusal {
  return refusal(`holds more than ${contentBytes} bytes of data in its parts`, SIZE_HINT, '')
}

function refusal(message: string, hint: string, path: string): JsonRefusal {
  return { ok: false, path, message, hint }
}

const PART_HINT =
  'Return parts such as { type: "text", text } and { type: "image", mediaType, data }.'

const DATA_HINT = 'Give the data as a Buffer, as a Uint8Array, or as standard base64 with padding.'

const TYPE_HINT = 'Write one such as image/png.'

const FILE_HINT = 'Correct one of them, or use the type "file".'

const URI_HINT = `Write an absolute URI of at most ${MAX_URI} characters.`

const LINK_HINT = 'Give one of them, or use the type "resource-link".'

const SIZE_HINT = 'Return fewer or smaller parts, or links to them; or raise limits.contentBytes.'
