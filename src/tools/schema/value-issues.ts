import type { ValueIssue } from '../definition/tool.ts'
import type { Faults } from './compile-schema.ts'
import { describeFault } from './describe-fault.ts'
import { faultPlace } from './fault-place.ts'
import { limitIssues } from './limit-issues.ts'
import { FAULT_LIMIT, pickBranch } from './pick-branch.ts'

/**
 * What a validator found, as issues a model can repair its call from: each names the place,
 * what was expected there, and the nearest known name or allowed value.
 */
export function valueIssues({ faults, root }: Faults): readonly ValueIssue[] {
  const issues = new Map<string, ValueIssue>()
  for (const fault of pickBranch(faults.slice(0, FAULT_LIMIT), root)) {
    const issue = { path: faultPlace(fault), message: describeFault(fault, root) }
    issues.set(`${issue.path} ${issue.message}`, issue)
  }
  return limitIssues([...issues.values()])
}
