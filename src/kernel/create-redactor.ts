import { matchesPattern } from './matches-pattern.ts'
import { WorkspaceError } from './workspace-error.ts'
import { REDACTED, type Redactor } from './redactor.ts'
import { SECRET_KEYS, SECRET_PREFIXES, type RedactionRules } from './redaction-rules.ts'
import { secretForms } from './secret-forms.ts'
import { cutSpans, prefixSpans, secretSpans, withoutSpans } from './spans.ts'

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
