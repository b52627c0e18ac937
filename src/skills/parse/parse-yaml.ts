import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import type { Place } from './findings.ts'

/** A value of a YAML file, with its place. Names such as `__proto__` are ordinary keys. */
export type YamlNode = { readonly place: Place } & (
  | {
      readonly kind: 'scalar'
      /** The author's text, so that an unquoted `1.10` stays a version. */
      readonly text: string
      /** Its value in YAML 1.2. */
      readonly value: string | number | bigint | boolean | null
    }
  | { readonly kind: 'list'; readonly items: readonly YamlNode[] }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, YamlEntry> }
)

/** The value of a key, and the place of the key. */
export interface YamlEntry {
  readonly node: YamlNode
  readonly place: Place
}

/** The value of a text, or its problems. */
export type YamlOutcome =
  | { readonly ok: true; readonly root: YamlNode | null }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] }

/** A reason why YAML is not read. */
interface YamlProblem {
  readonly code: 'yaml-invalid' | 'duplicate-key' | 'yaml-tag' | 'yaml-too-complex'
  readonly message: string
  readonly hint: string
  readonly place: Place
}

/**
 * Parses YAML 1.2 with the core schema. Nothing in it can run: custom tags are refused, `<<` is an
 * ordinary key, and depth, references and values are limited. `firstLine` is the line of the file on
 * which the text starts.
 */
export function parseYaml(text: string, firstLine = 1): YamlOutcome {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    // Checked by YamlNodeReader: the library compares every key with every other key.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'silent',
    lineCounter: lines,
  })
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: line + firstLine - 1, column: col }
  }
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) {
    // The place would depend on the size of the stack, so the first line is reported.
    const what = `values nested far more than ${MAX_DEPTH} levels deep`
    return { ok: false, problems: [tooComplex(what, { line: firstLine, column: 1 })] }
  }
  const broken = document.errors.map(({ message, pos }): YamlProblem => ({
    code: 'yaml-invalid',
    message: `Not valid YAML: ${message}.`,
    hint: 'Write one `key: value` per line, and put values with special characters in quotes.',
    place: place(pos[0]),
  }))
  if (broken.length > 0) return { ok: false, problems: broken.slice(0, 5) }
  const reader = new YamlNodeReader(document, place)
  const root = document.contents === null ? null : reader.read(document.contents, 0)
  return reader.problems.length > 0
    ? { ok: false, problems: reader.problems.slice(0, 5) }
    : { ok: true, root }
}

/** Levels of nested lists and mappings. */
const MAX_DEPTH = 32

/** References (`*name`) in one file. Each is read again. */
const MAX_ALIASES = 100

/** Values, counted through references, so that references to references cannot multiply. */
const MAX_VALUES = 10_000

/** Converts a parsed document to plain nodes, within limits. Stops at the first problem. */
class YamlNodeReader {
  readonly problems: YamlProblem[] = []
  readonly #document: Document
  readonly #place: (offset: number) => Place
  #aliases = 0
  #values = 0

  constructor(document: Document, place: (offset: number) => Place) {
    this.#document = document
    this.#place = place
  }

  read(node: Node, depth: number): YamlNode {
    const place = this.#place(node.range?.[0] ?? 0)
    const nothing: YamlNode = { kind: 'scalar', text: '', value: null, place }
    this.#values += 1
    if (this.problems.length > 0) return nothing
    if (depth > MAX_DEPTH) {
      return this.#refuse(`values more than ${MAX_DEPTH} levels deep`, place, nothing)
    }
    if (this.#values > MAX_VALUES) {
      return this.#refuse(`more than ${MAX_VALUES} values`, place, nothing)
    }
    if (isAlias(node)) {
      this.#aliases += 1
      if (this.#aliases > MAX_ALIASES) {
        return this.#refuse(`more than ${MAX_ALIASES} references`, place, nothing)
      }
      const target = node.resolve(this.#document)
      // The limit of depth stops a value that contains itself.
      if (target) return this.read(target, depth + 1)
      this.problems.push({
        code: 'yaml-invalid',
        message: `Not valid YAML: the reference *${node.source} has no anchor.`,
        hint: 'Put the value in quotes if it should start with an asterisk.',
        place,
      })
      return nothing
    }
    const tag = isScalar(node) || isMap(node) || isSeq(node) ? node.tag : undefined
    if (tag !== undefined && !CORE_TAGS.has(tag)) {
      this.problems.push({
        code: 'yaml-tag',
        message: `The tag ${tag} is not allowed: only plain values are read.`,
        hint: 'Remove the tag, or put the value in quotes if it should start with "!".',
        place,
      })
      return nothing
    }
    if (isScalar(node)) return scalarNode(node, place)
    if (isSeq(node)) {
      const items = node.items.map((item) => this.read(item as Node, depth + 1))
      return { kind: 'list', items, place }
    }
    if (isMap(node)) return { kind: 'map', entries: this.#entries(node, depth), place }
    return nothing
  }

  #entries(map: YAMLMap, depth: number): ReadonlyMap<string, YamlEntry> {
    const entries = new Map<string, YamlEntry>()
    for (const { key, value } of map.items) {
      if (this.problems.length > 0) break
      const keyNode = this.read(key as Node, depth + 1)
      const { place } = keyNode
      if (keyNode.kind !== 'scalar') {
        this.problems.push({
          code: 'yaml-invalid',
          message: `A ${keyNode.kind} cannot be a key.`,
          hint: 'Write keys as plain text.',
          place,
        })
        continue
      }
      const name = keyNode.text
      if (entries.has(name)) {
        this.problems.push({
          code: 'duplicate-key',
          message: `The key "${name}" occurs twice.`,
          hint: `Keep one of the two; the first is on line ${entries.get(name)?.place.line}.`,
          place,
        })
        continue
      }
      const node: YamlNode =
        value === null
          ? { kind: 'scalar', text: '', value: null, place }
          : this.read(value as Node, depth + 1)
      entries.set(name, { node, place })
    }
    return entries
  }

  #refuse(what: string, place: Place, nothing: YamlNode): YamlNode {
    this.problems.push(tooComplex(what, place))
    return nothing
  }
}

function scalarNode({ value, source, type }: Scalar, place: Place): YamlNode {
  const known =
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    typeof value === 'boolean'
      ? value
      : null
  const text = typeof known === 'string' ? known : type === 'PLAIN' ? (source ?? '') : String(known)
  return { kind: 'scalar', text, value: known, place }
}

const CORE_TAGS = new Set([
  '!',
  ...['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(
    (name) => `tag:yaml.org,2002:${name}`,
  ),
])

function tooComplex(what: string, place: Place): YamlProblem {
  return {
    code: 'yaml-too-complex',
    message: `The YAML contains ${what}.`,
    hint: 'Front matter is a flat list of fields; put long data in a file of the skill.',
    place,
  }
}
