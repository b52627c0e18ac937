import { describeRule } from './describe-rule.ts'
import { LOOSENESS, type Policy, type Rule, rulesNotIn } from '../model/policy.ts'
import { CATEGORIES } from '../standing/tool-status.ts'

/**
 * Describes the rules and limits that a session loses when one policy replaces another, and what it allows
 * in addition. Each text continues a sentence that begins with "The session". Empty when nothing is loosened.
 */
export function liftedRules(before: Policy, after: Policy): readonly string[] {
  const denials = describeNew(after.deny, before.deny).map((rule) => `no longer denies ${rule}`)
  const questions = describeNew(after.ask, before.ask).map(
    (rule) => `no longer asks first for ${rule}`,
  )
  const freed = describeNew(before.allow, after.allow).map((rule) => `lets ${rule} run unasked`)
  const isLooser = LOOSENESS[after.allowedTools] > LOOSENESS[before.allowedTools]
  const effect = `changes the effect of allowed-tools from "${before.allowedTools}" to "${after.allowedTools}"`
  return [
    ...denials,
    ...questions,
    ...freed,
    ...(isLooser ? [effect] : []),
    ...liftedLimits(before, after),
  ]
}

/** Describes the rules that a policy has in addition to those of another one, as `liftedRules` does. */
export function addedRules(before: Policy, after: Policy): readonly string[] {
  const isStricter = LOOSENESS[after.allowedTools] < LOOSENESS[before.allowedTools]
  return [
    ...describeNew(before.deny, after.deny).map((rule) => `denies ${rule}`),
    ...describeNew(before.ask, after.ask).map((rule) => `asks first for ${rule}`),
    ...(isStricter ? [`has the effect "${after.allowedTools}" of allowed-tools`] : []),
  ]
}

function describeNew(known: readonly Rule[], rules: readonly Rule[]): readonly string[] {
  return rulesNotIn(known, rules).map(describeRule)
}

function liftedLimits({ limits: before }: Policy, { limits: after }: Policy): readonly string[] {
  const isCovered = after.tools?.every((pattern) => before.tools?.includes(pattern)) ?? false
  const listed = before.tools?.map((pattern) => `"${pattern}"`).join(', ')
  const isLifted = before.tools !== undefined && !isCovered
  const numbers: readonly Limit[] = [
    ...CATEGORIES.map((category): Limit => {
      const what = `${category} calls of a turn`
      return [what, before.callsPerTurn[category], after.callsPerTurn[category]]
    }),
    ['calls of a turn', before.calls, after.calls],
    ['calls of the session', before.callsInSession, after.callsInSession],
  ]
  const raised = numbers.flatMap(([what, limit, next]) => {
    if (limit === undefined || (next !== undefined && next <= limit)) return []
    return next === undefined
      ? `no longer limits the ${what} to ${limit}`
      : `limits the ${what} to ${next} instead of ${limit}`
  })
  return [...(isLifted ? [`no longer limits its tools to ${listed}`] : []), ...raised]
}

type Limit = readonly [what: string, before: number | undefined, after: number | undefined]
