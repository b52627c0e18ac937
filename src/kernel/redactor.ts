import { matchesPattern } from './matches-pattern.ts'
import { type RedactionRules, SECRET_KEYS, SECRET_PREFIXES } from './redaction-rules.ts'
import { WorkspaceError } from './workspace-error.ts'

/** What stands where something was hidden. */
export const REDACTED = '[redacted]'

/** Hides secrets. The same thing comes back when there is nothing to hide in it. */
export interface Redactor {
  text(text: string): string
  /** Plain data: members by their names, texts and names of members by what is in them. */
  value<T>(value: T): T
  /** The same for what names members as its own matter, such as a schema: texts alone. */
  texts<T>(value: T): T
}

const LEAST_SECRET = 6

/** Levels. What is deeper is hidden whole: it is no data that anybody wrote. */
const DEEPEST = 1_000

/** Hide what some rules say. Throws `REDACTION_INVALID` for a secret that would hide half of a text. */
export function createRedactor({
  keys = SECRET_KEYS,
  secrets = [],
  prefixes = SECRET_PREFIXES,
}: RedactionRules): Redactor {
  checkNotShort(secrets)
  const patterns = keys.map(plainKey)
  const forms = [...new Set(secrets.flatMap(secretForms))].filter((one) => !REDACTED.includes(one))
  const begins = prefixes.filter((one) => one !== '')
  const isSecretKey = (key: string): boolean => {
    const plain = plainKey(key)
    return patterns.some((pattern) => matchesPattern(pattern, plain))
  }

  const text = (given: string): string => {
    const whole = secretSpans(given, forms)
    const cut = [...cutSpans(given, forms), ...prefixSpans(given, begins)]
    return withoutSpans(given, [...whole, ...cut], REDACTED)
  }

  const walk = (given: unknown, isSecret: (key: string) => boolean, depth = 0): unknown => {
    if (typeof given === 'string') return text(given)
    if (typeof given !== 'object' || given === null) return given
    if (depth > DEEPEST) return REDACTED
    if (Array.isArray(given))
      return sameOr(
        given,
        given.map((item) => walk(item, isSecret, depth + 1)),
      )
    const before = Object.entries(given)
    const after = before.map(([key, member]): [string, unknown] => [
      text(key),
      isSecret(key) && isHidden(member) ? REDACTED : walk(member, isSecret, depth + 1),
    ])
    const isSame = after.every(([key, one], index) => {
      const [name, member] = before[index] as [string, unknown]
      return key === name && Object.is(one, member)
    })
    return isSame ? given : Object.fromEntries(unlike(after))
  }

  return {
    text,
    value: <T>(given: T): T => walk(given, isSecretKey) as T,
    texts: <T>(given: T): T => walk(given, () => false) as T,
  }
}

function plainKey(key: string): string {
  return key.toLowerCase().replaceAll(/[\s_.-]/g, '')
}

/** That something is not there, or is switched on or off, is no secret. */
function isHidden(member: unknown): boolean {
  return member !== null && member !== undefined && member !== '' && typeof member !== 'boolean'
}

function sameOr(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((one, index) => Object.is(one, before[index])) ? before : after
}

/** Two names that became the same one are told apart, so that no member gets lost. */
function unlike(members: readonly [string, unknown][]): readonly [string, unknown][] {
  const taken = new Set<string>()
  return members.map(([key, member]) => {
    let name = key
    for (let count = 2; taken.has(name); count += 1) name = `${key} ${count}`
    taken.add(name)
    return [name, member]
  })
}

function checkNotShort(secrets: readonly string[]): void {
  const index = secrets.findIndex(({ length }) => length < LEAST_SECRET)
  if (index === -1) return
  throw new WorkspaceError(
    'REDACTION_INVALID',
    `Secret ${index} has less than ${LEAST_SECRET} characters.`,
    {
      facts: { index, least: LEAST_SECRET },
      hint: 'So short a text stands everywhere by chance: name the members it is the value of in "keys".',
    },
  )
}

/** A stretch of a text: from the first character to the one after the last. */
type Span = readonly [start: number, end: number]

/** What stands where a text was cut. */
const CUT = '…'

/** Less of a secret tells nothing, and stands everywhere by chance. */
const LEAST_LEFT = 4

/** Every place of a text where one of some secrets stands, those that overlap among them. */
function secretSpans(text: string, secrets: readonly string[]): readonly Span[] {
  return secrets.flatMap((secret) =>
    placesOf(secret, text).map((start): Span => [start, start + secret.length]),
  )
}

/** What is left of secrets where a text was cut before anyone looked for them: `pass…`. */
function cutSpans(text: string, secrets: readonly string[]): readonly Span[] {
  if (!text.includes(CUT)) return []
  return secrets.flatMap((secret) =>
    placesOf(secret.slice(0, LEAST_LEFT), text).flatMap((start): readonly Span[] => {
      let left = LEAST_LEFT
      while (left < secret.length && text[start + left] === secret[left]) left += 1
      return left < secret.length && text[start + left] === CUT ? [[start, start + left]] : []
    }),
  )
}

/** Tokens of a text that begin with one of some prefixes, at the beginning of a word; cut ones, too. */
function prefixSpans(text: string, prefixes: readonly string[]): readonly Span[] {
  return prefixes.flatMap((prefix) =>
    placesOf(prefix, text).flatMap((start): readonly Span[] => {
      if (isTokenCharacter(text.charCodeAt(start - 1))) return []
      let end = start + prefix.length
      while (isTokenCharacter(text.charCodeAt(end))) end += 1
      const rest = text.slice(start + prefix.length, end)
      const isLeft = text[end] === CUT && rest.length >= LEAST_LEFT
      return isLeft || isToken(rest) ? [[start, end]] : []
    }),
  )
}

/** A text with other text in the place of some spans; those that touch are one. */
function withoutSpans(text: string, spans: readonly Span[], instead: string): string {
  if (spans.length === 0) return text
  const kept: string[] = []
  let at = 0
  let until = -1
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (start > until) kept.push(text.slice(at, start), instead)
    until = Math.max(until, end)
    at = until
  }
  return kept.join('') + text.slice(at)
}

/** `Bearer authentication` is English: a word has no digit, and fewer letters. */
function isToken(rest: string): boolean {
  return rest.length >= 20 || (rest.length >= 8 && /\d/.test(rest))
}

function placesOf(part: string, text: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at)
  return places
}

/** Letters, digits and `-._~+/=`: what bearer tokens are made of. False for NaN, beyond the ends. */
function isTokenCharacter(unit: number): boolean {
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit > 0 && '-._~+/='.includes(String.fromCharCode(unit)))
  )
}

/** Shorter lines of a secret of several lines may stand anywhere by chance. */
const LEAST_LINE = 16

/** The forms a secret takes in texts: as it is, as JSON and URLs write it, and line by line. */
function secretForms(secret: string): readonly string[] {
  const lines = secret.split(/[\r\n]+/).filter((line) => line.length >= LEAST_LINE)
  const texts = [...new Set([secret, ...lines])]
  return [...new Set(texts.flatMap((text) => [text, ...inJson(text), ...inUrls(text)]))]
}

/** As JavaScript writes it, and writers that leave no slash, no markup, or nothing but ASCII as it is. */
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

/** What the parts of an address escape beside what is no printable ASCII: each more than the one before. */
const FRAGMENT = ' "<>`'

const QUERY = ` "#<>'`

const PATH = ' "#<>?^`{}'

const USER = `${PATH}/:;=@[\\]|`

/** Each part of an address, forms that are sent, and what JavaScript has; some write escapes in small letters. */
function inUrls(text: string): readonly string[] {
  const whole = text.toWellFormed()
  const forms = [
    ...[FRAGMENT, QUERY, PATH, USER].map((part) => percented(whole, part)),
    new URLSearchParams([['', whole]]).toString().slice(1),
    encodeURI(whole),
    encodeURIComponent(whole),
  ]
  return forms.flatMap((form) => [
    form,
    form.replaceAll(/%[0-9A-F]{2}/g, (one) => one.toLowerCase()),
  ])
}

function percented(text: string, part: string): string {
  const form = Array.from(text, (one) =>
    part.includes(one) || one < ' ' || one > '~' ? encodeURIComponent(one) : one,
  ).join('')
  return part.includes("'") ? form.replaceAll("'", '%27') : form
}
