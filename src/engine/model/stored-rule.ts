import { textHash } from '../../kernel/content-hash.ts'
import type { Rule, RuleFunction } from './policy.ts'

/**
 * Returns a rule as the log has it: with the name of its function. A function without a name of its own is
 * known by the hash of its text.
 */
export function storedRule(rule: Rule): Rule {
  if (typeof rule === 'string' || typeof rule.when !== 'function') return rule
  return { ...rule, when: functionName(rule.when) }
}

/** Returns the name under which the log knows the function of a rule. */
export function functionName(given: RuleFunction): string {
  const { name } = given
  if (name !== '' && name !== 'when') return name
  return `function ${textHash(String(given)).slice('sha256:'.length, 'sha256:'.length + 8)}`
}
