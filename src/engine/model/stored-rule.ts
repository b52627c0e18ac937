import { canonicalJson } from '../../kernel/canonical-json.ts'
import { textHash } from '../../kernel/content-hash.ts'
import type { FilePlace } from '../../kernel/diagnostic.ts'
import type { Rule, RuleFunction, RuleList } from './policy.ts'

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

/**
 * The places of rules, by `ruleKey`. They are not in the log: another process may have read the same rules from
 * other files, or from none.
 */
export type RulePlaces = ReadonlyMap<string, FilePlace>

/** Returns the key of a rule among the places of rules. Rules with the same content have the same one. */
export function ruleKey(list: RuleList, rule: Rule): string {
  return `${list} ${canonicalJson(storedRule(rule))}`
}
