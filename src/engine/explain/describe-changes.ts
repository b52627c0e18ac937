import type { FieldChange } from '../../catalog/definition-change.ts'

/** Characters of a value that a sentence carries; the whole is in the changes themselves. */
const LONGEST = 120

/** Fields that a sentence tells of. */
const MOST_FIELDS = 8

/** What changed in a definition, in one sentence. Not yet sanitised. */
export function describeChanges(changes: readonly FieldChange[]): string {
  const told = changes.slice(0, MOST_FIELDS).map(describeChange)
  const rest = changes.length - told.length
  return [...told, ...(rest === 0 ? [] : [`${rest} more fields`])].join('; ')
}

function describeChange(change: FieldChange): string {
  const { field } = change
  switch (change.what) {
    case 'value':
      return `${field} was ${shown(change.before)} and is ${shown(change.after)}`
    case 'text':
      return `the text of ${field} changed: ${shown(change.diff)}`
    case 'parts':
      return change.parts
        .slice(0, MOST_FIELDS)
        .map(
          ({ path, before, after }) =>
            `${field}${path} was ${shown(before)} and is ${shown(after)}`,
        )
        .join('; ')
    case 'members':
      return `${field} has others: ${membersChanged(change)}`
  }
}

function membersChanged(change: Extract<FieldChange, { readonly what: 'members' }>): string {
  return (['added', 'changed', 'removed'] as const)
    .filter((what) => change[what].length > 0)
    .map((what) => `${what} ${shown(change[what].join(', '))}`)
    .join(', ')
}

function shown(value: unknown): string {
  if (value === undefined) return 'absent'
  const text = JSON.stringify(value)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`
}
