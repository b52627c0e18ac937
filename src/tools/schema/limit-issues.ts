import type { ValueIssue } from '../definition/tool.ts'

/** Issues reported at most; a model repairs a call in rounds. */
const ISSUE_LIMIT = 20

/** The first issues, and how many more there are. */
export function limitIssues(issues: readonly ValueIssue[]): readonly ValueIssue[] {
  if (issues.length <= ISSUE_LIMIT) return issues
  const more = { path: '', message: `has ${issues.length - ISSUE_LIMIT} more faults` }
  return [...issues.slice(0, ISSUE_LIMIT), more]
}
