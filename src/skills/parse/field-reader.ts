import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts'
import type { Findings, Place } from './findings.ts'
import type { YamlEntry } from './parse-yaml.ts'

/**
 * Reads the fields of one mapping in the forms that people write, and reports fields that have the wrong
 * kind or are unknown. Messages show names with `prefix`.
 */
export class FieldReader {
  readonly #fields: ReadonlyMap<string, YamlEntry>
  readonly #findings: Findings
  readonly #prefix: string
  readonly #read = new Set<string>()

  constructor(fields: ReadonlyMap<string, YamlEntry>, findings: Findings, prefix = '') {
    this.#fields = fields
    this.#findings = findings
    this.#prefix = prefix
  }

  /** Returns the entry of a field and marks the field as read. */
  entry(name: string): YamlEntry | undefined {
    this.#read.add(name)
    return this.#fields.get(name)
  }

  /** Returns the entries whose names begin with a name and a dot, by the rest of their names, as read. */
  below(name: string): ReadonlyMap<string, YamlEntry> {
    const prefix = `${name}.`
    const names = [...this.#fields.keys()].filter((one) => one.startsWith(prefix))
    for (const one of names) this.#read.add(one)
    return new Map(
      names.flatMap((one) => {
        const entry = this.#fields.get(one)
        return entry === undefined ? [] : [[one.slice(prefix.length), entry] as const]
      }),
    )
  }

  /** Reads text without changes except trimming. Undefined for a missing or empty field. */
  text(name: string): string | undefined {
    const entry = this.entry(name)
    if (entry === undefined) return undefined
    if (entry.node.kind !== 'scalar') {
      this.#wrongKind(name, entry, 'text')
      return undefined
    }
    return trimmedText(entry.node)
  }

  /** Reads one of some words. Reports any other text, and `instead` of what it is used. */
  choice<Word extends string>(
    name: string,
    words: readonly [Word, ...Word[]],
    instead: string,
  ): Word | undefined {
    const text = this.text(name)
    const word = words.find((one) => one === text)
    if (text !== undefined && word === undefined) {
      this.#findings.add(
        'warning',
        'field-value',
        `"${text}" is not ${instead}`,
        `Write ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`,
        this.entry(name)?.node.place,
      )
    }
    return word
  }

  /** Reads single words: a list, or text separated by spaces or commas. */
  words(name: string): readonly string[] {
    return this.#parts(name, (text) => text.split(/[\s,]+/))
  }

  /** Reads phrases: a list, or text separated by commas or line breaks. */
  phrases(name: string): readonly string[] {
    return this.#parts(name, (text) => text.split(/[,\n]/))
  }

  /** Reads permission patterns, which may contain spaces and commas in parentheses. */
  permissions(name: string): readonly string[] {
    return this.#parts(name, (text) => splitOutside(text, '()', /[\s,]/))
  }

  /** Reads patterns of files: texts, or a list of them, separated by commas that are not in braces, or by line breaks. */
  globs(name: string): readonly string[] {
    const split = (text: string) => splitOutside(text, '{}', /[,\n]/).map((one) => one.trim())
    const globs = this.#parts(name, split).flatMap(split)
    const useless = globs.every((one) => one.startsWith('!'))
      ? globs
      : globs.filter((one) => /^(?:\.{1,2}\/|~|[a-z]:|#)/i.test(one))
    const place = this.entry(name)?.node.place
    if (place !== undefined && useless.length > 0) {
      this.#findings.add(
        'warning',
        'field-value',
        `In "${this.#prefix}${name}", ${useless.map((one) => `"${one}"`).join(' and ')} match${useless.length === 1 ? 'es' : ''} no file.`,
        'Write patterns as in .gitignore, from the folder of the project: src/**/*.ts or *.md.',
        place,
      )
    }
    return globs
  }

  /**
   * Reads a list of mappings with `name` and `description`; empty for any other value. An item without
   * both is left out and reported.
   */
  described(name: string): readonly { readonly name: string; readonly description: string }[] {
    const node = this.entry(name)?.node
    if (node?.kind !== 'list' || !node.items.some(({ kind }) => kind === 'map')) return []
    return node.items.flatMap((item) => {
      const fields = item.kind === 'map' ? item.entries : new Map<string, YamlEntry>()
      const reader = new FieldReader(fields, this.#findings, `${this.#prefix}${name}.`)
      const [given, description] = [reader.text('name'), reader.text('description')]
      reader.reportUnknown(['name', 'description'])
      if (given !== undefined && description !== undefined) return [{ name: given, description }]
      this.#findings.add(
        'warning',
        'field-kind',
        `An item of "${this.#prefix}${name}" has no name or no description; it has no effect.`,
        'Write both, or only names.',
        item.place,
      )
      return []
    })
  }

  /** Reads the patterns of tools that are not to be called, by both names of the field; undefined for none. */
  disallowedTools(): readonly string[] | undefined {
    const names = ['disallowed-tools', 'disallowedTools']
    const found = new Set(names.flatMap((name) => this.permissions(name)))
    return found.size === 0 ? undefined : [...found]
  }

  /**
   * Reports fields that a client has and that have no effect here.
   *
   * @param fields the reasons, by the name of the field
   */
  reportWithoutEffect(fields: Readonly<Record<string, string>>): void {
    for (const [name, why] of Object.entries(fields)) {
      const entry = this.entry(name)
      if (entry === undefined) continue
      const message = `The field "${this.#prefix}${name}" has no effect here: ${why}.`
      const hint = 'Keep it for clients that read it, or let the host decide by it.'
      this.#findings.add('warning', 'unknown-field', message, hint, entry.place)
    }
  }

  /** Reads `true` or `false`, with or without quotes. */
  flag(name: string): boolean | undefined {
    const entry = this.entry(name)
    if (entry === undefined) return undefined
    const { node } = entry
    if (node.kind === 'scalar' && /^(?:true|false)$/i.test(node.text)) {
      return node.text.toLowerCase() === 'true'
    }
    this.#wrongKind(name, entry, 'true or false')
    return undefined
  }

  /**
   * Reports the fields that were not read, with the nearest known field. Never names a field
   * that gives something for one that takes it away, or the other way round.
   *
   * @param hint the hint for a name, if there is a better one
   */
  reportUnknown(
    known: readonly string[],
    hint: (name: string) => string | undefined = () => undefined,
  ): void {
    const unread: { readonly name: string; readonly place: Place }[] = []
    for (const [field, { place }] of this.#fields) {
      if (this.#read.has(field)) continue
      const name = `${this.#prefix}${field}`
      const near = nearestNames(field, known, 1)
        .filter((one) => !(TAKES_AWAY.test(one) ? GIVES : TAKES_AWAY).test(field))
        .map((one) => `${this.#prefix}${one}`)
      const better = hint(field) ?? didYouMean(near, '')
      if (better === '') unread.push({ name, place })
      else {
        const message = `The field "${name}" is unknown and has no effect.`
        this.#findings.add('warning', 'unknown-field', message, better, place)
      }
    }
    const [first, ...more] = unread
    if (first === undefined) return
    const names = unread.map(({ name }) => `"${name}"`)
    this.#findings.add(
      'warning',
      'unknown-field',
      more.length === 0
        ? `The field ${names[0]} is unknown and has no effect.`
        : `The fields ${names.slice(0, -1).join(', ')} and ${names.at(-1)} are unknown and have no effect.`,
      more.length === 0
        ? 'Nothing here reads it. Remove it, or keep it in metadata as a note.'
        : 'Nothing here reads them. Remove them, or keep them in metadata as notes.',
      first.place,
    )
  }

  #parts(name: string, split: (text: string) => string[]): readonly string[] {
    const entry = this.entry(name)
    if (entry === undefined) return []
    const { node } = entry
    const parts =
      node.kind === 'scalar'
        ? split(trimmedText(node) ?? '')
        : node.kind === 'list' &&
          node.items.map((one) => (one.kind === 'scalar' ? (trimmedText(one) ?? '') : undefined))
    if (parts === false || parts.includes(undefined)) {
      this.#wrongKind(name, entry, 'text or a list of texts')
      return []
    }
    const kept = parts.map((part) => part?.trim() ?? '').filter((part) => part !== '')
    return [...new Set(kept)]
  }

  #wrongKind(name: string, { node }: YamlEntry, wanted: string): void {
    const given = node.kind === 'scalar' ? `"${node.text.slice(0, 40)}"` : `a ${node.kind}`
    this.#findings.add(
      'warning',
      'field-kind',
      `The field "${this.#prefix}${name}" must be ${wanted}, not ${given}; it has no effect.`,
      `Write ${wanted} after "${name}:".`,
      node.place,
    )
  }
}

/** A field that takes something away, such as `disallowed-tools`. */
const TAKES_AWAY =
  /^(?:dis|un|no[nt]?[_\-]|den|forbid|block|exclud|without|restrict|ban|prohibit)/iv

const GIVES = /^(?:allow|enable|permit)/i

function trimmedText({ text, value }: { readonly text: string; readonly value: unknown }) {
  const trimmed = text.trim()
  return value === null || trimmed === '' ? undefined : trimmed
}

/**
 * Splits a text at separators outside brackets: `Read Bash(git add:*), Write` contains three patterns of
 * `allowed-tools`.
 */
function splitOutside(text: string, brackets: string, separator: RegExp): string[] {
  const patterns: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (letter === brackets[0]) depth += 1
    if (letter === brackets[1]) depth = Math.max(0, depth - 1)
    if (depth === 0 && separator.test(letter)) {
      patterns.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...patterns, text.slice(from)].filter((pattern) => pattern !== '')
}
