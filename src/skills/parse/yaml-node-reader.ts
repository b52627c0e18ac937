import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Document,
  type Node,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import type { Place } from './findings.ts'
import type { YamlEntry, YamlNode } from './yaml-node.ts'
import { tooComplex, type YamlProblem } from './yaml-problem.ts'

/** Levels of lists and mappings inside each other. */
export const MAX_DEPTH = 32
/** References (`*name`) in one file, each of which is read again. */
const MAX_ALIASES = 100
/** Values after references are followed, so that references to references cannot multiply. */
const MAX_VALUES = 10_000

/** Turns a parsed document into plain nodes, within limits, and stops at the first problem. */
export class YamlNodeReader {
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
      // A value that holds itself is stopped by the depth.
      if (target) return this.read(target, depth + 1)
      this.problems.push({
        code: 'yaml-invalid',
        message: `Not valid YAML: the reference *${node.source} leads to nothing.`,
        hint: 'Put the value in quotes if it should start with an asterisk.',
        place,
      })
      return nothing
    }
    if ((isScalar(node) || isMap(node) || isSeq(node)) && isForeignTag(node.tag)) {
      this.problems.push({
        code: 'yaml-tag',
        message: `The tag ${node.tag} is not read: only plain values are.`,
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
          message: `The key "${name}" is given twice.`,
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

function isForeignTag(tag: string | undefined): boolean {
  return tag !== undefined && !CORE_TAGS.has(tag)
}

const CORE_TAGS = new Set([
  '!',
  ...['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(
    (name) => `tag:yaml.org,2002:${name}`,
  ),
])
