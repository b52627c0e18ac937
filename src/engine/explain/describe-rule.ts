import type {
  ArgumentPattern,
  HostReason,
  PermissionRule,
  Policy,
  Rule,
  RuleAnswer,
} from '../model/policy.ts'
import { storedRule } from '../model/stored-rule.ts'

/** Describes a permission rule. The text is not sanitised. */
export function describeRule(rule: Rule): string {
  if (typeof rule === 'string') return `"${rule}"`
  const {
    tool,
    skill,
    source,
    risk,
    where = {},
    ignoreCase,
    when,
  } = storedRule(rule) as PermissionRule
  const parts = [
    tool !== undefined && `"${tool}"`,
    skill !== undefined && `tools of the skill "${skill}"`,
    source !== undefined && `source "${source}"`,
    risk !== undefined && `risk ${[risk].flat().join(' or ')}`,
    ...Object.entries(where).map(([path, pattern]) => `argument ${path} ${like(pattern)}`),
  ].filter((part) => part !== false)
  const [first = 'every tool', ...rest] = parts
  const about = rest.length === 0 ? first : `${first} with ${rest.join(' and ')}`
  const cased = ignoreCase ? `${about}, in upper or lower case` : about
  return when === undefined ? cased : `${cased} when ${String(when)} says so`
}

function like(pattern: ArgumentPattern | undefined): string {
  if (typeof pattern !== 'object') return `like "${pattern}"`
  return pattern.path === undefined
    ? `running "${pattern.command}"`
    : `with a path like "${pattern.path}"`
}

/** Describes the rule that decided about a call, with the reason that its function gave. Not sanitised. */
export function describeReason({ rule, because }: HostReason): string {
  return because === undefined ? describeRule(rule) : `${describeRule(rule)}: ${because}`
}

/** Describes the answers of the functions of rules. Empty without any. */
export function describeAnswers(answers: readonly RuleAnswer[] = []): string {
  return answers
    .map(({ list, when, applies, because }) => {
      const why = because === undefined ? '' : ` (${because})`
      return `; ${when} answered ${applies ? 'yes' : 'no'} to "${list}"${why}`
    })
    .join('')
}

/** Describes the rules of a policy. The text is not sanitised. */
export function describePolicy({ mode, deny, ask, allow, allowedTools }: Policy): string {
  const rules = (does: string, list: Policy['deny']) =>
    list.length > 0 && `${does} ${list.map(describeRule).join(', ')}`
  const parts = [
    `${mode} mode`,
    rules('denies', deny),
    rules('asks first for', ask),
    rules('allows', allow),
    allowedTools !== 'ignore' && `allowed-tools ${allowedTools}`,
  ]
  return parts.filter((part) => part !== false).join('; ')
}
