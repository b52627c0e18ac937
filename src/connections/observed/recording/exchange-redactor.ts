import { type Redactor, SECRET_KEYS } from '../../../entries/index.ts'
import { isObject } from '../../../entries/kit.ts'
import { createMarkingRedactor } from '../../../kernel/redactor.ts'
import { CUT_RUN } from '../write-cut-run.ts'

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
  /auth|cert|cookie|credential|key|secret|session|token|account|email|user|organi[sz]ation|project/i

/** Header fields with the session of a client, and its forms there. No key is one: the paths of its files have it, too. */
const SESSION_FIELDS = /^(?:[a-z]+-)*session-(?:id|affinity)$/i
const SESSION_ID = /^(?:ses_\w{10,40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** The members of a request that name an account or a person. */
const ACCOUNTS = new Set(['user', 'user_id', 'safety_identifier', 'metadata'])

/** Names of members with secrets. A mark has the tokens of its run, so that it costs little to cut too much. */
const KEYS = [...SECRET_KEYS, 'secrets', 'credential'].map((name) => `*${name}`)

/** Matches a name before a text as JSON has them, also in JSON inside of a text. */
const MEMBER = /(\\{0,7})"([\w.-]{1,60})\\{0,7}"\s{0,9}:\s{0,9}\\{0,7}"/g

/** Matches a variable as a shell or a file of variables has it. */
const VARIABLE = /((?:^|[^\w$])([A-Z][A-Z0-9_]{2,60})=["']?)([^\s"'`,;&|<>(){}$\\]+)/g

/** Match the password in a URL, a user in one that is long enough to be a key, a private key, and a token that is signed. */
const SECRET_FORMS = [
  /(:\/\/[^\s/@:"]{0,200}:)([^\s/@"]{1,200})(?=@)/g,
  /(:\/\/)([^\s/@:"]{20,200})(?=@)/g,
  /(-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)([^]+?)(?=-----END|$)/g,
  /(\b)(eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?)/g,
]

/** Says what a recording must not have. */
export interface SecretRules {
  /** The secrets that are known. Those in header fields are added as they come. */
  readonly secrets: readonly string[]
  /** Returns the values of an environment that are secrets. */
  readonly secretsIn: (environment: Readonly<Record<string, string>>) => readonly string[]
}

/** Cuts from what is recorded of an exchange everything that must not be on a disk. */
export class ExchangeRedactor {
  readonly #write: (hidden: string) => string
  readonly #rules: SecretRules
  readonly #learned = new Set<string>()
  #redactor: Redactor

  /** @param write returns what is written for a run that was cut */
  constructor(rules: SecretRules, write: (hidden: string) => string) {
    this.#write = write
    this.#rules = rules
    this.#redactor = this.#withSecrets([])
  }

  /** Takes note of the secrets in the address and the fields of an exchange, before anything of it is redacted. */
  learn(url: string, fields: readonly string[]): void {
    const [, query] = url.split('?', 2)
    const named = [...new URLSearchParams(query), ...pairsIn(fields)]
    const isShown = (name: string, value: string) =>
      SHOWN_FIELDS.test(name) || (SESSION_FIELDS.test(name) && SESSION_ID.test(value))
    const values = named.flatMap(([name, value]) =>
      SECRET_FIELDS.test(name) && !isShown(name, value) ? [value] : [],
    )
    const parts = values
      .flatMap((value) => [value, ...value.split(/[\s;,=]+/)])
      .filter((part) => part.length >= LEAST_SECRET || SHORT_KEY.test(part))
    const earlier = this.#learned.size
    const isKnown = parts.every((part) => this.#learned.has(part))
    // Those that come again are the last to be forgotten.
    for (const part of parts) {
      this.#learned.delete(part)
      this.#learned.add(part)
    }
    const most = Math.max(MOST_LEARNED, new Set(parts).size)
    for (const part of this.#learned) {
      if (this.#learned.size <= most) break
      this.#learned.delete(part)
    }
    if (!isKnown || this.#learned.size < earlier) this.#redactor = this.#withSecrets(this.#learned)
  }

  /** Returns the fields that a recording has. */
  fields(raw: readonly string[]): readonly HeaderField[] {
    return pairsIn(raw).flatMap(([name, value]) =>
      SHOWN_FIELDS.test(name) ? [{ name, value: this.text(value) }] : [],
    )
  }

  /** Returns a mark by which requests of one session of the client are known; undefined without one. */
  session(raw: readonly string[]): string | undefined {
    const [, id] = pairsIn(raw).find(([name]) => SESSION_FIELDS.test(name)) ?? []
    return id && this.#mark(id)
  }

  /** Returns an address without what its query says, which may be a key. */
  address(url: string): string {
    return this.text(url.split(/[?#]/, 1).join(''))
  }

  text(text: string): string {
    return this.#redactor.text(this.#named(text.replaceAll(CUT_RUN, this.#write)))
  }

  /** Returns the body of a request, as JSON text; null for one that is no JSON. */
  body(given: string): string | null {
    try {
      // A text that looks like a mark would have other tokens than it says. Names may be such texts, too.
      const plain = JSON.stringify(JSON.parse(given)).replaceAll(CUT_RUN, this.#write)
      const body: unknown = JSON.parse(plain, (name, value: unknown) => {
        if (typeof value !== 'string') return value
        const text = this.#named(value)
        return name === 'arguments' ? this.#argumentsIn(text) : text
      })
      if (!isObject(body)) return null
      const members = Object.entries(body).map(([name, value]) => {
        if (ACCOUNTS.has(name)) return { [name]: withTexts(value, (_, text) => this.#mark(text)) }
        if (name !== 'tools') return this.#redactor.value({ [name]: value })
        // The members of a schema are names of arguments, and no secrets; those of a server may be.
        const cut = withTexts(value, (key, text) => this.#redactor.value({ [key]: text })[key])
        return this.#redactor.texts({ [name]: cut })
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

  /** Cuts what is a secret by its form, or by the name before it. */
  #named(text: string): string {
    let cut = text.replaceAll(VARIABLE, (all, before: string, name: string, run: string) =>
      this.#rules.secretsIn({ [name]: run }).includes(run) ? before + this.#mark(run) : all,
    )
    for (const form of SECRET_FORMS)
      cut = cut.replaceAll(form, (_, before: string, run: string) => before + this.#mark(run))
    return this.#membersIn(cut)
  }

  /** Cuts the values of members in JSON, and in the JSON that these have as texts. */
  #membersIn(text: string): string {
    let written = ''
    let from = 0
    for (const { 0: before, 1: quote = '', 2: name = '', index } of text.matchAll(MEMBER)) {
      const start = index + before.length
      if (index < from) continue
      const end = endOfText(text, start, `${quote}"`)
      const run = text.slice(start, end)
      written += text.slice(from, start) + this.#member(name, run)
      from = end
    }
    return written + text.slice(from)
  }

  #member(name: string, run: string): string {
    // Most members are none: this is faster than the names.
    const isSecret = run !== '' && /key|pass|secret|token|auth|cookie|cred/i.test(name)
    const cut = isSecret ? this.#redactor.value({ [name]: run })[name] : run
    return cut === run && run.includes('"') ? this.#membersIn(run) : (cut ?? run)
  }

  /** Returns the mark of a run, in which there may be marks already. */
  #mark(run: string): string {
    return run.replace(CUT_RUN, '') === '' ? run : this.#write(run)
  }

  #withSecrets(learned: Iterable<string>): Redactor {
    const secrets = [...this.#rules.secrets, ...learned]
    return createMarkingRedactor({ secrets, keys: KEYS }, (run) => this.#mark(run))
  }
}

/** Returns where a text ends that is in quotes, or was cut. */
function endOfText(text: string, start: number, quote: string): number {
  let at = start
  while (at < text.length && !text.startsWith(quote, at)) at += text[at] === '\\' ? 2 : 1
  return Math.min(at, text.length)
}

/** Returns data with other texts in it. */
function withTexts(data: unknown, change: (name: string, text: string) => unknown): unknown {
  return JSON.parse(JSON.stringify(data), (name, value: unknown) =>
    typeof value === 'string' ? change(name, value) : value,
  )
}

function pairsIn(flat: readonly string[]): readonly (readonly [name: string, value: string])[] {
  return Array.from({ length: flat.length >> 1 }, (_, at) => {
    const [name = '', value = ''] = flat.slice(2 * at, 2 * at + 2)
    return [name, value] as const
  })
}

/** Characters. A shorter part of a header field is a word, unless it has the form of a key. */
const LEAST_SECRET = 12
const SHORT_KEY = /^(?=.*\d)(?=.*[a-z])[\w+/.~-]{6,}$/i

/** A cookie may have another value in each request. */
const MOST_LEARNED = 100
