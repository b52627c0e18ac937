import type {
  ArgumentPattern,
  PermissionRule,
  Policy,
  Rule,
  RuleAnswer,
  RuleList,
  WhereMatches,
} from '../model/policy.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { hasMembers } from '../../kernel/json-value.ts'
import { foldCase, matchesPattern } from '../../kernel/matches-pattern.ts'
import { matchesCommand } from './matches-command.ts'
import { matchesPath } from './matches-path.ts'

/**
 * Returns the rules of a policy whose `where` and `when` match the arguments of a call.
 *
 * @param forms the arguments as given, and as the handler will get them. For `deny` and `ask`, one
 *   form and one item at a path are enough. `allow` needs all forms and all items, and at least one
 *   item. When a tool accepts a list or a single value, `deny` and `ask` treat both alike: a list
 *   also counts as each of its items, and a value as a list of one.
 * @param spellings the arguments with other names of the same thing: for `deny` and `ask` only
 * @param answers what the functions of rules answered. A function without an answer counts as the stricter one.
 */
export function whereMatches(
  policy: Rules,
  forms: readonly unknown[],
  spellings: readonly unknown[] = [],
  answers: LevelAnswers = [],
): WhereMatches {
  const [ours = [], ...others] = answers
  const { above } = policy
  const places = (list: RuleList) =>
    placesOf(policy[list], (rule) => {
      if (!isWhere(rule, list, forms, spellings)) return false
      const answer = ours.find((one) => one.list === list && one.when === rule.when)
      return rule.when === undefined || (answer?.applies ?? list !== 'allow')
    })
  const met = { deny: places('deny'), ask: places('ask'), allow: places('allow') }
  const matched = above?.map((one, place) =>
    whereMatches(one, forms, spellings, [others[place] ?? []]),
  )
  return {
    ...met,
    ...(ours.length > 0 && { answers: ours }),
    ...(matched && { above: matched }),
  }
}

/** The answers of the functions of rules: of those of a session, then of each session above it. */
export type LevelAnswers = readonly (readonly RuleAnswer[])[]

/** Returns true when the `where` of a rule matches the arguments of a call, or the rule has none. */
export function isWhere(
  { where, ignoreCase = false }: PermissionRule,
  list: RuleList,
  forms: readonly unknown[],
  spellings: readonly unknown[],
): boolean {
  if (where === undefined) return true
  return list === 'allow'
    ? forms.every((form) => matches(where, ignoreCase, form, 'every'))
    : [...forms, ...spellings].some((form) => matches(where, ignoreCase, form, 'some'))
}

/**
 * Returns the matches for a call whose arguments were not checked: all rules of `deny` and `ask`,
 * none of `allow`.
 */
export function unseenWhere({ deny, ask, above }: Rules): WhereMatches {
  return {
    deny: placesOf(deny, () => true),
    ask: placesOf(ask, () => true),
    allow: [],
    ...(above && { above: above.map(unseenWhere) }),
  }
}

type Rules = Pick<Policy, RuleList | 'above'>

type Where = NonNullable<PermissionRule['where']>

function placesOf(
  rules: readonly Rule[],
  isMet: (rule: PermissionRule) => boolean,
): readonly number[] {
  return rules.flatMap((rule, place) =>
    typeof rule !== 'string' && isAboutCalls(rule) && isMet(rule) ? [place] : [],
  )
}

/** Returns true for a rule that looks at the arguments of a call. */
export function isAboutCalls({ where, when }: PermissionRule): boolean {
  return where !== undefined || when !== undefined
}

function matches(
  where: Where,
  ignoreCase: boolean,
  given: unknown,
  quantity: 'some' | 'every',
): boolean {
  return Object.entries(where).every(([path, pattern = '']) => {
    const isMatch = (value: unknown) => matchesValue(pattern, ignoreCase, value, quantity)
    if (quantity === 'some') return someValue(given, path.split('.'), isMatch)
    const values = valuesAt(given, path.split('.'))
    return values.length > 0 && values.every(isMatch)
  })
}

/** Compares one value. Where one match is enough, accents may be composed or not. */
function matchesValue(
  pattern: ArgumentPattern,
  ignoreCase: boolean,
  value: unknown,
  quantity: 'some' | 'every',
): boolean {
  const written = (text: string) => {
    if (quantity === 'some') return (ignoreCase ? foldCase(text) : text).normalize()
    return ignoreCase ? text.toLowerCase() : text
  }
  if (typeof pattern === 'string') return matchesPattern(written(pattern), written(textOf(value)))
  if (typeof value !== 'string' && quantity === 'every') return false
  if (pattern.path !== undefined) {
    return matchesPath(written(pattern.path), written(textOf(value)), quantity)
  }
  return matchesCommand(written(pattern.command), written(commandOf(value)), quantity)
}

/** The words of a command may be a list. */
function commandOf(value: unknown): string {
  const isWords = Array.isArray(value) && value.every((word) => typeof word === 'string')
  return isWords ? value.join(' ') : textOf(value)
}

function someValue(
  value: unknown,
  path: readonly string[],
  isMatch: (value: unknown) => boolean,
): boolean {
  if (path.length === 0 && value !== undefined && isMatch(value)) return true
  if (membersAt(value, path).some(([one, rest]) => someValue(one, rest, isMatch))) return true
  if (Array.isArray(value)) return value.some((one) => someValue(one, path, isMatch))
  return path[0] === '*' && !hasMembers(value) && someValue(value, path.slice(1), isMatch)
}

function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  if (path.length === 0) return value === undefined ? [] : [value]
  return membersAt(value, path).flatMap(([one, rest]) => valuesAt(one, rest))
}

/**
 * Returns the members that a path may begin with, each with the path behind its name: a name may have dots. Own members
 * only; `*` is all of them.
 */
function membersAt(
  value: unknown,
  path: readonly string[],
): readonly (readonly [unknown, readonly string[]])[] {
  if (!hasMembers(value)) return []
  const all = path[0] === '*' ? Object.values(value) : []
  const named = path.flatMap((_, at) => {
    const name = path.slice(0, at + 1).join('.')
    return Object.hasOwn(value, name) ? [[value[name], path.slice(at + 1)] as const] : []
  })
  return [...all.map((one) => [one, path.slice(1)] as const), ...named]
}

/**
 * Uses the text of a value that is not JSON. Only the transform of a schema can make such a value.
 */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return canonicalJson(value)
  } catch {
    return String(value)
  }
}
