/** One thing wrong with a manifest, and where. */
export interface ManifestIssue {
  readonly code: 'invalid_type' | 'too_small' | 'invalid_format' | 'invalid_key'
  readonly path: readonly (string | number)[]
  readonly message: string
}

type Path = ManifestIssue['path']

/**
 * Reads the members of one object of a manifest after the other; what is wrong is noted, and read as
 * empty. One reader serves all entries of a kind: an object for each would cost more than reading.
 */
export class EntryReader {
  readonly #parent: Path
  readonly #issues: ManifestIssue[]
  #value: Readonly<Record<string, unknown>> = {}
  #key: string | number | null = null

  constructor(parent: Path, issues: ManifestIssue[]) {
    this.#parent = parent
    this.#issues = issues
  }

  /** Read from this value on; `key` is its place in the parent, null for the whole. */
  enter(value: unknown, key: string | number | null = null): this {
    this.#key = key
    this.#value = isObject(value) ? value : {}
    if (!isObject(value)) this.#wrongType([], 'object', value)
    return this
  }

  text(key: string): string {
    const value = this.#value[key]
    if (typeof value === 'string') return value
    this.#wrongType([key], 'string', value)
    return ''
  }

  /** A text that is not empty. */
  filled(key: string): string {
    const value = this.#value[key]
    if (value === '') this.#note('too_small', [key], 'must not be empty')
    return value === '' ? value : this.text(key)
  }

  named(key: string, pattern: RegExp): string {
    const value = this.text(key)
    if (typeof this.#value[key] === 'string' && !pattern.test(value)) {
      this.#note('invalid_format', [key], `must match ${pattern.source}`)
    }
    return value
  }

  number(key: string, absent: number): number {
    const value = this.#value[key]
    if (value === undefined) return absent
    if (typeof value === 'number' && Number.isFinite(value)) return value
    this.#wrongType([key], 'number', value)
    return absent
  }

  texts(key: string, optional: boolean): string[] {
    const value = this.#value[key]
    if (!Array.isArray(value)) {
      if (value !== undefined || !optional) this.#wrongType([key], 'array', value)
      return NONE
    }
    value.forEach((one: unknown, index) => {
      if (typeof one !== 'string') this.#wrongType([key, index], 'string', one)
    })
    return Object.freeze([...value]) as string[]
  }

  list<T extends object>(key: string, read: (entry: EntryReader) => T): T[] {
    const value = this.#value[key]
    if (value === undefined) return NONE
    if (!Array.isArray(value)) {
      this.#wrongType([key], 'array', value)
      return NONE
    }
    if (value.length === 0) return NONE
    const reader = new EntryReader([...this.#path(), key], this.#issues)
    const items = value.map((one, index) => Object.freeze(read(reader.enter(one, index))))
    return Object.freeze(items) as unknown as T[]
  }

  /** The member of that name, read as an object of its own; an absent one as empty. */
  member(key: string): EntryReader {
    const reader = new EntryReader([...this.#path(), key], this.#issues)
    const value = this.#value[key]
    return reader.enter(value === undefined ? {} : value)
  }

  /** Entries by name, in an object without a prototype: `constructor` is a name like others. */
  record<T extends object>(
    key: string,
    read: (entry: EntryReader) => T,
    names?: RegExp,
  ): Record<string, T> {
    const entries: Record<string, T> = Object.create(null)
    const value = this.#value[key]
    if (!isObject(value)) {
      this.#wrongType([key], 'record', value)
      return entries
    }
    const reader = new EntryReader([...this.#path(), key], this.#issues)
    for (const name of Object.keys(value)) {
      if (name === '' || names?.test(name) === false) {
        this.#note('invalid_key', [key, name], 'cannot be a name')
      }
      entries[name] = Object.freeze(read(reader.enter(value[name], name)))
    }
    return Object.freeze(entries)
  }

  #wrongType(at: Path, expected: string, value: unknown): void {
    const received = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
    this.#note('invalid_type', at, `Invalid input: expected ${expected}, received ${received}`)
  }

  #note(code: ManifestIssue['code'], at: Path, message: string): void {
    this.#issues.push({ code, path: [...this.#path(), ...at], message })
  }

  #path(): Path {
    return this.#key === null ? this.#parent : [...this.#parent, this.#key]
  }
}

const NONE = Object.freeze([]) as unknown as never[]

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
