import { isObject, sanitiseLine } from '../../../entries/kit.ts'
import { formatCount } from '../../../entries/plan.ts'
import { textLines } from './text-lines.ts'

/**
 * Writes a value for people: a text unchanged, JSON as an indented tree, also where a text is JSON; images and other data
 * as their type and size.
 */
export function valueLines(value: unknown): readonly string[] {
  const read = describeData('', readValue(value))
  return typeof read === 'string' ? textLines(read) : treeLines(read, '')
}

/** Writes a value on one line, its beginning at most. */
export function valueLine(value: unknown): string {
  const read = describeData('', readValue(value))
  const text = typeof read === 'string' ? read : (JSON.stringify(read, describeData) ?? '')
  return sanitiseLine(text.slice(0, LONGEST_LINE).replaceAll(/\s+/gu, ' ').trim())
}

const LONGEST_LINE = 400

/** The longest text that is read as JSON. */
const LONGEST_JSON = 1_000_000

/** Returns the value of a text that is a JSON object or list; a list of texts of a model as one text. */
function readValue(value: unknown): unknown {
  if (typeof value === 'string') {
    if (!/^\s*[[{]/u.test(value) || value.length > LONGEST_JSON) return value
    try {
      return JSON.parse(value) as unknown
    } catch {
      return value
    }
  }
  if (isObject(value) && value['type'] === 'text' && typeof value['text'] === 'string')
    return value['text']
  if (Array.isArray(value) && value.length === 1) return readSingle(value[0], value)
  return value
}

function readSingle(item: unknown, list: unknown): unknown {
  const read = readValue(item)
  return typeof read === 'string' && isObject(item) ? read : list
}

function treeLines(value: unknown, indent: string): readonly string[] {
  const entries = Array.isArray(value)
    ? value.map((item, index) => [`${index}`, item] as const)
    : Object.entries(isObject(value) ? value : {})
  if (entries.length === 0) return [`${indent}${leafText(value)}`]
  return entries.flatMap(([name, item]) => {
    const described = describeData('', item)
    const key = textLines(name).join(' ')
    if (typeof described === 'object' && described !== null && Object.keys(described).length > 0) {
      const count = Array.isArray(described) ? ` (${described.length})` : ''
      return [`${indent}${key}${count}`, ...treeLines(described, `${indent}  `)]
    }
    const lines = typeof described === 'string' ? textLines(described) : [leafText(described)]
    if (lines.length === 1) return [`${indent}${key}: ${lines[0] ?? ''}`]
    return [`${indent}${key}:`, ...lines.map((line) => `${indent}  ${line}`)]
  })
}

function leafText(value: unknown): string {
  return textLines(JSON.stringify(value) ?? 'nothing').join(' ')
}

const MEDIA = ['mediaType', 'media_type', 'mimeType'] as const

const DATA = ['data', 'image', 'base64'] as const

/** Describes a value with data, such as an image, by its type and size; any other value stays. */
function describeData(_key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return `data, ${formatCount(value.length)} bytes`
  if (!isObject(value)) return typeof value === 'string' ? withoutDataUrl(value) : value
  const media = MEDIA.map((name) => value[name]).find((one) => typeof one === 'string')
  const data = DATA.map((name) => value[name]).find((one) => one !== undefined)
  if (media === undefined || data === undefined) return value
  const bytes = data instanceof Uint8Array ? data.length : base64Bytes(String(data))
  const { type = 'data', name } = value
  const named = typeof name === 'string' ? ` ${name}` : ''
  return `${String(type)}${named}, ${media}, ${formatCount(bytes)} bytes`
}

function withoutDataUrl(text: string): string {
  const [, media = '', data = ''] = /^data:([^;,]*);base64,(.*)$/su.exec(text) ?? []
  return data === '' ? text : `${media}, ${formatCount(base64Bytes(data))} bytes`
}

function base64Bytes(data: string): number {
  const plain = data.startsWith('data:') ? data.slice(data.indexOf(',') + 1) : data
  const padding = plain.endsWith('==') ? 2 : plain.endsWith('=') ? 1 : 0
  return Math.floor((plain.length * 3) / 4) - padding
}
