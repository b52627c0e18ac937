import type { z } from 'zod'
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/**
 * Throw when a skill's or agent's definition has a field that is wrong, missing or unknown.
 *
 * Types say the same at compile time; this is for JavaScript, and for what a loader read.
 * The code is `SKILL_INVALID` or `AGENT_INVALID`, and `facts.field` names the field.
 */
export function checkDefinition(kind: 'skill' | 'agent', schema: z.ZodObject, given: unknown) {
  const issue = schema.safeParse(given).error?.issues[0]
  if (issue === undefined) return
  if (issue.code === 'unrecognized_keys') {
    const [field = ''] = issue.keys
    const nearest = nearestNames(field, Object.keys(schema.shape), 1)
    throw invalidDefinition(kind, nameOf(given), field, 'is not a field', {
      hint: didYouMean(nearest, 'Take it out.'),
    })
  }
  const [field = ''] = issue.path
  throw invalidDefinition(kind, nameOf(given), String(field), issue.message, {
    at: issue.path.map(String).join('.'),
  })
}

/** The error for a wrong field, in words that follow its name: `must be text`. */
export function invalidDefinition(
  kind: 'skill' | 'agent',
  name: string,
  field: string,
  problem: string,
  { at = field, hint = '' }: { readonly at?: string; readonly hint?: string } = {},
): WorkspaceError {
  const what = name === '' ? `A ${kind} without a name` : `The ${kind} "${name}"`
  const message =
    field === ''
      ? `${what} cannot be defined: its definition ${problem}.`
      : `${what} cannot be defined: its "${at}" ${problem}.`
  return new WorkspaceError(kind === 'skill' ? 'SKILL_INVALID' : 'AGENT_INVALID', message, {
    facts: { name, field, at },
    hint: hint === '' ? `Correct the field and define the ${kind} again.` : hint,
  })
}

function nameOf(given: unknown): string {
  const named = typeof given === 'object' && given !== null && 'name' in given
  return named && typeof given.name === 'string' ? given.name : ''
}
