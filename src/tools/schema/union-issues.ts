import type { StandardIssue } from './schema-source.ts'

/** What zod says of a union unless its author, or another language, says something else. */
const BARE = 'Invalid input'

interface UnionIssue extends StandardIssue {
  readonly errors: readonly (readonly StandardIssue[])[]
}

/**
 * The issues behind a zod union's bare "Invalid input": those of the branch that got past the
 * value's type, the one with the fewest when several did, else what each branch expected.
 * Every other issue stays as it is.
 */
export function unionIssues(issue: StandardIssue): readonly StandardIssue[] {
  if (!isBareUnion(issue)) return [issue]
  const { errors, path = [] } = issue
  const inside = errors.filter((branch) => branch.every((one) => (one.path?.length ?? 0) > 0))
  const [meant] = inside.toSorted((a, b) => a.length - b.length)
  if (meant === undefined) {
    const messages = new Set(errors.flat().map(({ message }) => message))
    return [{ path, message: [...messages].join(', or ') || BARE }]
  }
  return meant.flatMap((one) => unionIssues({ ...one, path: [...path, ...(one.path ?? [])] }))
}

function isBareUnion(issue: StandardIssue): issue is UnionIssue {
  return issue.message === BARE && 'errors' in issue && Array.isArray(issue.errors)
}
