import type { Redactor } from '../../../entries/index.ts'
import { isObject } from '../../../entries/kit.ts'
import { createMarkingRedactor } from '../../../kernel/redactor.ts'

/** A header field, as HAR files have it. */
interface HeaderField {
  readonly name: string
  readonly value: string
}

/** Header fields that say nothing of a person, a key or an account. All others are left out. */
const SHOWN_FIELDS =
  /^(?:accept|anthropic-(?:beta|version)|content-(?:encoding|length|type)|openai-beta|originator|retry-after|(?:x-)?request-id|user-agent|x-app|x-stainless-.*)$/i

/** Header fields whose values are secrets wherever else they are. */
const SECRET_FIELDS =
  /auth|cookie|credential|key|secret|session|token|account|organi[sz]ation|project/i

/** The members of a request that name an account or a person. */
const ACCOUNTS = new Set(['user', 'user_id', 'safety_identifier'])

/** Cuts from what is recorded of an exchange everything that must not be on a disk. */
export class ExchangeRedactor {
  readonly #mark: (hidden: string) => string
  readonly #known: readonly string[]
  readonly #learned = new Set<string>()
  #redactor: Redactor

  /**
   * @param secrets the secrets that are known. Those in header fields are added as they come
   * @param mark returns what is written for a run that was cut
   */
  constructor(secrets: readonly string[], mark: (hidden: string) => string) {
    this.#mark = mark
    this.#known = secrets
    this.#redactor = createMarkingRedactor({ secrets }, mark)
  }

  /** Returns the fields that a recording has, and takes note of the secrets in the others. */
  fields(raw: readonly string[]): readonly HeaderField[] {
    const shown: HeaderField[] = []
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const [name = '', value = ''] = raw.slice(at, at + 2)
      if (SHOWN_FIELDS.test(name)) shown.push({ name, value })
      else if (SECRET_FIELDS.test(name)) this.#learn(value)
    }
    return shown.map(({ name, value }) => ({ name, value: this.#redactor.text(value) }))
  }

  /** Returns an address without what its query says, which may be a key. */
  address(url: string): string {
    return this.#redactor.text(url.split(/[?#]/, 1).join(''))
  }

  text(text: string): string {
    return this.#redactor.text(text)
  }

  texts<T>(value: T): T {
    return this.#redactor.texts(value)
  }

  /** Returns the body of a request, as JSON text; null for one that is no JSON. */
  body(given: string): string | null {
    try {
      const body: unknown = JSON.parse(given, (name, value: unknown) => {
        if (ACCOUNTS.has(name) && typeof value === 'string') return this.#mark(value)
        return name === 'arguments' && typeof value === 'string' ? this.#argumentsIn(value) : value
      })
      if (!isObject(body)) return null
      const members = Object.entries(body).map(([name, value]) => {
        // The members of a schema are names of arguments, and no secrets.
        const redact = name === 'tools' ? this.#redactor.texts : this.#redactor.value
        return redact({ [name]: value })
      })
      return JSON.stringify(Object.assign({}, ...members))
    } catch {
      return null
    }
  }

  /** Returns the arguments of a call, which some providers take as text. */
  #argumentsIn(given: string): string {
    try {
      const parsed: unknown = JSON.parse(given)
      const redacted = this.#redactor.value(parsed)
      return redacted === parsed ? given : JSON.stringify(redacted)
    } catch {
      return given
    }
  }

  #learn(value: string): void {
    const parts = [value, ...value.split(/[\s;,=]+/)].filter((part) => part.length >= LEAST_SECRET)
    if (parts.every((part) => this.#learned.has(part))) return
    for (const part of parts) this.#learned.add(part)
    const latest = [...this.#learned].slice(-MOST_LEARNED)
    this.#redactor = createMarkingRedactor({ secrets: [...this.#known, ...latest] }, this.#mark)
  }
}

/** Characters. A shorter part of a header field is a word. */
const LEAST_SECRET = 12

/** A cookie may have another value in each request. */
const MOST_LEARNED = 100
