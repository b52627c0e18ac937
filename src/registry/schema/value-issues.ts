import type { ErrorObject } from 'ajv'
import type { JsonSchema } from '../../kernel/json.ts'
import type { ValueIssue } from '../tool.ts'
import { describeFault } from './describe-fault.ts'
import { pickBranch } from './pick-branch.ts'
import { pointerToken } from './subschemas.ts'

/** Issues reported at most; a model repairs a call in rounds. */
const ISSUE_LIMIT = 20

/** Faults looked at; choosing among the branches of unions takes time with their square. */
const FAULT_LIMIT = 500

/**
 * What a validator found, as issues a model can repair its call from: each names the place,
 * what was expected there, and the nearest known name or allowed value.
 */
export function valueIssues(faults: readonly ErrorObject[], root: JsonSchema): ValueIssue[] {
  const issues = new Map<string, ValueIssue>()
  const looked = faults.slice(0, FAULT_LIMIT).filter(isTelling)
  for (const fault of pickBranch(looked, root)) {
    const issue = { path: pathOf(fault), message: describeFault(fault, root) }
    issues.set(`${issue.path} ${issue.message}`, issue)
  }
  const all = [...issues.values()]
  if (all.length <= ISSUE_LIMIT) return all
  const more = { path: '', message: `has ${all.length - ISSUE_LIMIT} more faults` }
  return [...all.slice(0, ISSUE_LIMIT), more]
}

/** `if` only says that `then` or `else` failed; faults inside a name come again as `propertyNames`. */
function isTelling({ keyword, propertyName }: ErrorObject): boolean {
  return keyword !== 'if' && propertyName === undefined
}

/** Where the fault is to be mended: a missing or unknown member is named by the path itself. */
function pathOf({ instancePath, params }: ErrorObject): string {
  const member: unknown =
    params['missingProperty'] ??
    params['additionalProperty'] ??
    params['unevaluatedProperty'] ??
    params['propertyName']
  return typeof member === 'string' ? `${instancePath}/${pointerToken(member)}` : instancePath
}
