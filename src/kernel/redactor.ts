import { checkOptions } from './check-options.ts'
import { withUniqueNames } from './json-value.ts'
import { matchesPattern } from './matches-pattern.ts'
import {
  REDACTION_RULES,
  type RedactionRules,
  SECRET_KEYS,
  SECRET_PREFIXES,
} from './redaction-rules.ts'
import { WorkspaceError } from './workspace-error.ts'

/** The text that replaces a hidden one. */
export const REDACTED = '[redacted]'

/** Hides secrets. A value without secrets is returned itself, not as a copy. */
export interface Redactor {
  text(text: string): string
  /** Redacts plain data: members by name, and the texts and names of members by content. */
  value<T>(value: T): T
  /** Redacts plain data by content alone, for data whose member names have another meaning, such as schemas. */
  texts<T>(value: T): T
}

/** Characters of the shortest secret. */
const MIN_SECRET = 6

/** Levels. Data below is hidden completely: it is not written by people. */
const MAX_DEPTH = 1_000

/** Creates a redactor. Throws `REDACTION_INVALID` for a secret so short that it would hide half of a text. */
export function createRedactor(rules: RedactionRules = {}): Redactor {
  return createMarkingRedactor(rules, () => REDACTED)
}

/**
 * Creates a redactor as `createRedactor` does.
 *
 * @param mark returns the text that replaces a hidden one
 */
export function createMarkingRedactor(
  rules: RedactionRules,
  mark: (hidden: string) => string,
): Redactor {
  checkOptions(rules, REDACTION_RULES)
  const { keys = SECRET_KEYS, secrets = [], prefixes = SECRET_PREFIXES } = rules
  checkNotShort(secrets)
  const patterns = keys.map(plainKey)
  const forms = [...new Set(secrets.flatMap(secretForms))].filter((one) => !REDACTED.includes(one))
  const starts = prefixes.filter((one) => one !== '')
  const isSecretKey = (key: string): boolean => {
    const plain = plainKey(key)
    return patterns.some((pattern) => matchesPattern(pattern, plain))
  }

  const text = (given: string): string =>
    replaceSpans(
      given,
      [
        ...forms.flatMap((form) =>
          findAll(form, given).map((start): Span => [start, start + form.length]),
        ),
        ...cutSpans(given, forms),
        ...prefixSpans(given, starts),
      ],
      mark,
    )

  const walk = (given: unknown, isSecret: (key: string) => boolean, depth = 0): unknown => {
    if (typeof given === 'string') return text(given)
    if (typeof given !== 'object' || given === null) return given
    if (depth > MAX_DEPTH) return mark('')
    if (Array.isArray(given)) {
      const items = given.map((item) => walk(item, isSecret, depth + 1))
      return items.every((one, index) => Object.is(one, given[index])) ? given : items
    }
    const before = Object.entries(given)
    const after = before.map(([key, member]): [string, unknown] => [
      text(key),
      isSecret(key) && isSecretValue(member)
        ? mark(typeof member === 'string' ? member : JSON.stringify(member))
        : walk(member, isSecret, depth + 1),
    ])
    const isSame = after.every(([key, one], index) => {
      const [name, member] = before[index] as [string, unknown]
      return key === name && Object.is(one, member)
    })
    return isSame ? given : Object.fromEntries(withUniqueNames(after))
  }

  return {
    text,
    value: <T>(given: T): T => walk(given, isSecretKey) as T,
    texts: <T>(given: T): T => walk(given, () => false) as T,
  }
}

function checkNotShort(secrets: readonly string[]): void {
  const index = secrets.findIndex(({ length }) => length < MIN_SECRET)
  if (index === -1) return
  throw new WorkspaceError(
    'REDACTION_INVALID',
    `Secret ${index} has less than ${MIN_SECRET} characters.`,
    {
      facts: { index, least: MIN_SECRET },
      hint: 'A text this short occurs everywhere by chance. Add the names of its members to "keys" instead.',
    },
  )
}

function plainKey(key: string): string {
  return key.toLowerCase().replaceAll(/[\s_.-]/g, '')
}

/** Returns false for an absent value and for a switch that is on or off: neither is a secret. */
function isSecretValue(member: unknown): boolean {
  return member !== null && member !== undefined && member !== '' && typeof member !== 'boolean'
}

/** Characters. Shorter lines of a secret occur everywhere by chance. */
const MIN_LINE = 16

/** Returns the forms of a secret in texts: itself, escaped as in JSON and URLs, and line by line. */
function secretForms(secret: string): readonly string[] {
  const lines = secret.split(/[\r\n]+/).filter((line) => line.length >= MIN_LINE)
  const texts = [...new Set([secret, ...lines])]
  return [...new Set(texts.flatMap((text) => [text, ...inJson(text), ...inUrls(text)]))]
}

/** Returns the forms that JSON writers give a text: some also escape slashes, markup, or all but ASCII. */
function inJson(text: string): readonly string[] {
  const plain = JSON.stringify(text).slice(1, -1)
  const ascii = plain.replaceAll(/[^\0-\x7f]/g, escaped)
  return [plain, ascii].flatMap((one) => [
    one,
    one.replaceAll('/', '\\/'),
    one.replaceAll(/[<>&]/g, escaped),
  ])
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The printable ASCII characters that each part of a URL escapes. */
const FRAGMENT = ' "<>`'

const QUERY = ` "#<>'`

const PATH = ' "#<>?^`{}'

const USER = `${PATH}/:;=@[\\]|`

/** Returns the forms of a text in URLs and form bodies, with capital and with small hexadecimal digits. */
function inUrls(text: string): readonly string[] {
  const wellFormed = text.toWellFormed()
  const forms = [
    ...[FRAGMENT, QUERY, PATH, USER].map((part) => percentEncoded(wellFormed, part)),
    new URLSearchParams([['', wellFormed]]).toString().slice(1),
    encodeURI(wellFormed),
    encodeURIComponent(wellFormed),
  ]
  return forms.flatMap((form) => [
    form,
    form.replaceAll(/%[0-9A-F]{2}/g, (one) => one.toLowerCase()),
  ])
}

function percentEncoded(text: string, part: string): string {
  const form = Array.from(text, (one) =>
    part.includes(one) || one < ' ' || one > '~' ? encodeURIComponent(one) : one,
  ).join('')
  return part.includes("'") ? form.replaceAll("'", '%27') : form
}

/** A stretch of a text: from its first character to the one after its last. */
type Span = readonly [start: number, end: number]

/** The character that marks where a text was cut. */
const CUT = '…'

/** Characters. A shorter remainder reveals nothing and occurs everywhere by chance. */
const MIN_REMAINDER = 4

/** Finds the starts of secrets in a text that was cut before it was redacted: `pass…`. */
function cutSpans(text: string, secrets: readonly string[]): readonly Span[] {
  if (!text.includes(CUT)) return []
  return secrets.flatMap((secret) =>
    findAll(secret.slice(0, MIN_REMAINDER), text).flatMap((start): readonly Span[] => {
      let left = MIN_REMAINDER
      while (left < secret.length && text[start + left] === secret[left]) left += 1
      return left < secret.length && text[start + left] === CUT ? [[start, start + left]] : []
    }),
  )
}

/** Finds tokens that begin with a prefix at the start of a word, including tokens that were cut. */
function prefixSpans(text: string, prefixes: readonly string[]): readonly Span[] {
  return prefixes.flatMap((prefix) =>
    findAll(prefix, text).flatMap((start): readonly Span[] => {
      if (isTokenCharacter(text.charCodeAt(start - 1))) return []
      let end = start + prefix.length
      while (isTokenCharacter(text.charCodeAt(end))) end += 1
      const rest = text.slice(start + prefix.length, end)
      const isRemainder = text[end] === CUT && rest.length >= MIN_REMAINDER
      // Words such as in `Bearer authentication` have no digit and are shorter.
      const isToken = rest.length >= 20 || (rest.length >= 8 && /\d/.test(rest))
      return isRemainder || isToken ? [[start, end]] : []
    }),
  )
}

/** Returns true for the characters of bearer tokens: letters, digits and `-._~+/=`; false for NaN, past the ends. */
function isTokenCharacter(unit: number): boolean {
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit > 0 && '-._~+/='.includes(String.fromCharCode(unit)))
  )
}

/** Returns where a part occurs in a text, also where it overlaps itself. */
function findAll(part: string, text: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at)
  return places
}

/** Replaces each span with its mark; spans that touch are replaced as one. */
function replaceSpans(
  text: string,
  spans: readonly Span[],
  mark: (hidden: string) => string,
): string {
  if (spans.length === 0) return text
  const joined: [start: number, end: number][] = []
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  let written = ''
  let at = 0
  for (const [start, end] of joined) {
    written += text.slice(at, start) + mark(text.slice(start, end))
    at = end
  }
  return written + text.slice(at)
}

/** Hides keys of known services and values of secret names, where the host gave no rules. */
const DEFAULT = createRedactor({})

/** Matches every name, and what separates it from a value: `name=` and `name: `. */
const NAMES = /([\w.\-]+)(\s{0,3}[=:]\s{0,3})?/gv

/** Matches a value in quotes, or up to the next separator. */
const VALUE = /^(?:"[^"]*"|'[^']*'|[^\s,;]+)/v

/** Matches the user and the password of a URL. */
const CREDENTIALS = /:\/\/[^\s\/@]{0,200}:[^\s\/@]{1,200}@/gv

/**
 * Returns a text that others wrote, such as the message of an exception, without secrets: those that the redactor finds,
 * values that are assigned to secret names, and credentials in URLs.
 *
 * @param redactor one with the default rules when absent
 */
export function hideSecrets(text: string, redactor: Redactor = DEFAULT): string {
  const line = redactor.text(text).replaceAll(CREDENTIALS, `://${REDACTED}@`)
  let hidden = ''
  let from = 0
  for (const { 0: assigned, 1: name = '', 2: separator, index } of line.matchAll(NAMES)) {
    if (separator === undefined || index < from) continue
    const start = index + assigned.length
    const isSecret = redactor.value({ [name]: name })[name] === REDACTED
    const [value = ''] = isSecret ? (VALUE.exec(line.slice(start)) ?? []) : []
    if (value === '') continue
    hidden += line.slice(from, start) + REDACTED
    from = start + value.length
  }
  return hidden + line.slice(from)
}
