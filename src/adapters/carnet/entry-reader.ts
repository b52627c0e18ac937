/** One thing wrong with a manifest, and where. */
export interface ManifestIssue {
  readonly code: 'invalid_type' | 'too_small' | 'invalid_format' | 'invalid_key'
  readonly path: readonly (string | number)[]
  readonly message: string
}

type Path = ManifestIssue['path']

/** Reads the members of one object of a manifest; what is wrong is noted, and read as empty. */
export class EntryReader {
  readonly #value: Readonly<Record<string, unknown>>
  readonly #path: Path
  readonly #issues: ManifestIssue[]

  constructor(value: unknown, path: Path, issues: ManifestIssue[]) {
    this.#path = path
    this.#issues = issues
    this.#value = isObject(value) ? value : {}
    if (!isObject(value)) this.#wrongType([], 'object', value)
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
      return []
    }
    value.forEach((one: unknown, index) => {
      if (typeof one !== 'string') this.#wrongType([key, index], 'string', one)
    })
    return Object.freeze([...value]) as string[]
  }

  list<T extends object>(key: string, read: (entry: EntryReader) => T): T[] {
    const value = this.#value[key]
    if (value === undefined) return NONE as T[]
    if (!Array.isArray(value)) {
      this.#wrongType([key], 'array', value)
      return []
    }
    const items = value.map((one, index) =>
      Object.freeze(read(new EntryReader(one, [...this.#path, key, index], this.#issues))),
    )
    return Object.freeze(items) as unknown as T[]
  }

  member(key: string, optional: boolean): EntryReader {
    const value = this.#value[key]
    const given = value === undefined && optional ? {} : value
    return new EntryReader(given, [...this.#path, key], this.#issues)
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
    for (const [name, entry] of Object.entries(value)) {
      if (name === '' || names?.test(name) === false) {
        this.#note('invalid_key', [key, name], 'cannot be a name')
      }
      entries[name] = Object.freeze(read(new EntryReader(entry, [key, name], this.#issues)))
    }
    return Object.freeze(entries)
  }

  #wrongType(at: Path, expected: string, value: unknown): void {
    const received = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
    this.#note('invalid_type', at, `Invalid input: expected ${expected}, received ${received}`)
  }

  #note(code: ManifestIssue['code'], at: Path, message: string): void {
    this.#issues.push({ code, path: [...this.#path, ...at], message })
  }
}

const NONE: readonly object[] = Object.freeze([])

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
