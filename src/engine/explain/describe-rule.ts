import type { Rule } from '../model/permission-rule.ts'

/** A rule of permission in words: the pattern of a name, or all that must match. Not yet sanitised. */
export function describeRule(rule: Rule): string {
  if (typeof rule === 'string') return `"${rule}"`
  const { tool, skill, source, risk, where = {} } = rule
  const parts = [
    tool !== undefined && `"${tool}"`,
    skill !== undefined && `tools of the skill "${skill}"`,
    source !== undefined && `source "${source}"`,
    risk !== undefined && `risk ${[risk].flat().join(' or ')}`,
    ...Object.entries(where).map(([path, pattern]) => `argument ${path} like "${pattern}"`),
  ].filter((part) => part !== false)
  const [first = 'every tool', ...rest] = parts
  return rest.length === 0 ? first : `${first} with ${rest.join(' and ')}`
}
