import { isObject } from '../../kernel/json-value.ts'
import { FILE_START, type Findings, type Place, placeAt } from './findings.ts'
import type { YamlNode } from './parse-yaml.ts'

/** Repeated keys that are reported for one file. */
const MAX_REPORTED = 5

/** An object read from JSON text, with the places of its keys. */
export interface ParsedJson {
  readonly value: Readonly<Record<string, unknown>>
  readonly places: ReadonlyMap<string, Place>
}

/**
 * Parses a JSON object. Returns null and reports an error if the text is not one. With `values`, neither
 * places nor repeated keys are searched, for large generated files.
 */
export function parseJson(
  source: string,
  findings: Findings,
  look: 'places' | 'values' = 'places',
): ParsedJson | null {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const message = error instanceof SyntaxError ? error.message : 'unreadable'
    // The offset in V8's message; the end of the text if there is none.
    const [, position = text.length] = /position (\d+)/.exec(message) ?? []
    return findings.refuse(
      'json-invalid',
      `Not valid JSON: ${message}.`,
      'Correct the text; comments and trailing commas are not JSON.',
      placeAt(text, Number(position)),
    )
  }
  if (!isObject(value)) {
    return findings.refuse(
      'json-invalid',
      'The file contains no JSON object.',
      'Put the fields between { and }.',
      FILE_START,
    )
  }
  if (look === 'values') return { value, places: new Map() }
  const { places, repeated } = jsonKeys(text)
  for (const { key, place, firstLine } of repeated.slice(0, MAX_REPORTED)) {
    findings.add(
      'error',
      'duplicate-key',
      `The key "${key}" occurs twice.`,
      `Keep one of the two; the first is on line ${firstLine}.`,
      place,
    )
  }
  return findings.failed ? null : { value, places }
}

/** A key that occurs a second time in an object of a JSON text. */
interface RepeatedKey {
  readonly key: string
  readonly place: Place
  readonly firstLine: number
}

/**
 * Finds the places of the keys of the outermost object in a text that `JSON.parse` accepts, and repeated keys at any
 * depth: `JSON.parse` silently uses the last one. Does not recurse, however deep the text is.
 */
export function jsonKeys(text: string): {
  readonly places: ReadonlyMap<string, Place>
  readonly repeated: readonly RepeatedKey[]
} {
  const repeated: RepeatedKey[] = []
  const open: Map<string, Place>[] = []
  let places = new Map<string, Place>()
  let line = 1
  let lineStart = 0
  let last = { text: '""', place: { line, column: 1 } }
  // The end of a line, a quote, and the signs that open, close or follow a key. A regular expression of
  // this call, because its position moves.
  const signs = /[\n"{}[\]:]/g
  for (let found = signs.exec(text); found !== null; found = signs.exec(text)) {
    const { 0: sign, index } = found
    if (sign === '\n') {
      line += 1
      lineStart = index + 1
    } else if (sign === '{' || sign === '[') {
      open.push(new Map())
    } else if (sign === '}' || sign === ']') {
      places = open.pop() ?? places
    } else if (sign === ':') {
      const key = JSON.parse(last.text) as string
      const first = open.at(-1)?.get(key)
      if (first) repeated.push({ key, place: last.place, firstLine: first.line })
      else open.at(-1)?.set(key, last.place)
    } else {
      signs.lastIndex = endOfString(text, index)
      const key = text.slice(index, signs.lastIndex)
      last = { text: key, place: { line, column: index - lineStart + 1 } }
    }
  }
  return { places, repeated }
}

/**
 * Returns the offset after the quote that closes the string that starts at `start`. A pattern cannot be
 * used: it would overflow the stack of the pattern engine on a string of millions of escapes.
 */
function endOfString(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === '"') return at + 1
  }
  return source.length
}

/** Levels that are read: no field of a definition has more. */
const MAX_DEPTH = 16

/**
 * Converts a JSON value to a node. All of it has the place of its outermost key. Values nested too deeply
 * become null.
 */
export function jsonNode(value: unknown, place: Place, depth = 0): YamlNode {
  if (depth < MAX_DEPTH && Array.isArray(value)) {
    return { kind: 'list', items: value.map((item) => jsonNode(item, place, depth + 1)), place }
  }
  if (depth < MAX_DEPTH && typeof value === 'object' && value !== null) {
    const entries = new Map(
      Object.entries(value).map(([key, one]) => {
        return [key, { node: jsonNode(one, place, depth + 1), place }] as const
      }),
    )
    return { kind: 'map', entries, place }
  }
  const known =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : null
  return { kind: 'scalar', text: known === null ? '' : String(known), value: known, place }
}
