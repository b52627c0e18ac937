import type { PermissionRule, Policy, Rule, RuleList, WhereMatches } from '../model/policy.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { matchesPattern } from '../../kernel/matches-pattern.ts'

/**
 * Look at the arguments of a call for the rules of a policy.
 *
 * @param forms the arguments as they were given, and as the handler will get them. One form, and one
 *   item that a path leads to, is enough for `deny` and `ask`; `allow` wants all of them, and at
 *   least one item. Where a tool takes a list or a single value for it, `deny` and `ask` see through the
 *   difference: a list counts as each of its items, too, and a value as a list of one.
 */
export function whereMatches(
  { deny, ask, allow }: Pick<Policy, RuleList>,
  forms: readonly unknown[],
): WhereMatches {
  return {
    deny: placesOf(deny, (where) => forms.some((form) => holds(where, form, 'some'))),
    ask: placesOf(ask, (where) => forms.some((form) => holds(where, form, 'some'))),
    allow: placesOf(allow, (where) => forms.every((form) => holds(where, form, 'every'))),
  }
}

/** For a call whose arguments nobody looked at: every rule that could hold it up is met, no other. */
export function unseenWhere({ deny, ask }: Pick<Policy, RuleList>): WhereMatches {
  return { deny: placesOf(deny, () => true), ask: placesOf(ask, () => true), allow: [] }
}

type Where = NonNullable<PermissionRule['where']>

function placesOf(rules: readonly Rule[], isMet: (where: Where) => boolean): readonly number[] {
  return rules.flatMap((rule, place) =>
    typeof rule !== 'string' && rule.where !== undefined && isMet(rule.where) ? [place] : [],
  )
}

function holds(where: Where, given: unknown, quantity: 'some' | 'every'): boolean {
  return Object.entries(where).every(([path, pattern]) => {
    if (quantity === 'some') return someValue(given, path.split('.'), pattern.normalize())
    const values = valuesAt(given, path.split('.'))
    return values.length > 0 && values.every((value) => matchesPattern(pattern, textOf(value)))
  })
}

/** Text that reads the same is the same, however its accents are put together. */
function someValue(value: unknown, path: readonly string[], pattern: string): boolean {
  const [step, ...rest] = path
  const further = (one: unknown) => someValue(one, rest, pattern)
  if (step === undefined) {
    if (value === undefined) return false
    if (matchesPattern(pattern, textOf(value).normalize())) return true
    return Array.isArray(value) && value.some(further)
  }
  if (typeof value !== 'object' || value === null) return step === '*' && further(value)
  if (step === '*') return Object.values(value).some(further)
  if (Object.hasOwn(value, step)) return further(value[step as keyof typeof value])
  return Array.isArray(value) && value.some((one) => someValue(one, path, pattern))
}

/** What a path leads to: own members only, and every one of them where it says `*`. */
function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const [step, ...rest] = path
  if (step === undefined) return value === undefined ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  if (step === '*') return Object.values(value).flatMap((one) => valuesAt(one, rest))
  if (!Object.hasOwn(value, step)) return []
  return valuesAt((value as Readonly<Record<string, unknown>>)[step], rest)
}

/** A value that is not JSON, which only a schema's transform can make, is judged by its own text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return canonicalJson(value)
  } catch {
    return String(value)
  }
}
