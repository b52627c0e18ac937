import type { z } from 'zod'
import { checkFields, type FieldRules } from '../../kernel/check-fields.ts'
import { isObject } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/**
 * Throws if the definition of a skill or agent has a field that is wrong, missing or unknown.
 *
 * Types report this at compile time. This check is for JavaScript, and for definitions from files.
 * `facts.field` names the field.
 */
export function checkDefinition(schema: z.ZodObject, given: unknown, kind: FieldRules): void {
  checkFields(given, kind)
  const issue = schema.safeParse(given).error?.issues[0]
  if (issue === undefined) return
  const [field = ''] = issue.path
  const name = isObject(given) && typeof given['name'] === 'string' ? given['name'] : ''
  throw invalidDefinition(
    name,
    String(field),
    issue.message,
    kind,
    issue.path.map(String).join('.'),
  )
}

/**
 * Creates the error for a wrong field. `problem` follows its name: `must be text`. `at` is the place in
 * the field.
 */
export function invalidDefinition(
  name: string,
  field: string,
  problem: string,
  { kind, subject, code, hint }: FieldRules,
  at: string = field,
): WorkspaceError {
  const what =
    name === ''
      ? `${kind.replace('a', 'A')} without a name`
      : `The ${subject.toLowerCase()} "${name}"`
  return new WorkspaceError(code, `${what} cannot be defined: its "${at}" ${problem}.`, {
    facts: { name, field, at },
    hint,
  })
}
