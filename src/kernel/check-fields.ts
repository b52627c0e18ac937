import { isObject } from './json-value.ts'
import { didYouMean, nearestNames } from './nearest-names.ts'
import { WorkspaceError } from './workspace-error.ts'

/** A kind of definition: its fields, and how errors about them are written. */
export interface FieldRules {
  /** With its article, such as `a tool`. */
  readonly kind: string
  /** The start of messages, before the name of the definition, such as `Tool`. */
  readonly subject: string
  /** The code of errors, such as `TOOL_INVALID`. */
  readonly code: string
  /** The field with the name of a definition, and the member of `facts` for it. */
  readonly name: { readonly field: string; readonly fact: string }
  readonly fields: readonly string[]
  /** Fields by their names in other libraries, where these are not similar. */
  readonly synonyms?: Readonly<Record<string, string>>
  /** The hint for a field with a wrong value. */
  readonly hint: string
}

/**
 * Throws if a definition is not an object, or has an unknown field. Suggests the field that was probably
 * meant.
 *
 * Types report unknown fields of object literals. This check also covers JavaScript and other objects.
 */
export function checkFields(definition: unknown, kind: FieldRules): void {
  const { fields, synonyms = {} } = kind
  if (!isObject(definition)) {
    throw new WorkspaceError(kind.code, `The definition of ${kind.kind} must be an object.`, {
      facts: { field: '' },
      hint: kind.hint,
    })
  }
  const field = Object.keys(definition).find((name) => !fields.includes(name))
  if (field === undefined) return
  const synonym = Object.hasOwn(synonyms, field) ? synonyms[field] : undefined
  const nearest = synonym === undefined ? nearestNames(field, fields, 1) : [synonym]
  const name = definition[kind.name.field]
  const subject = typeof name === 'string' ? `${kind.subject} "${name}": ` : ''
  throw new WorkspaceError(kind.code, `${subject}"${field}" is not a field of ${kind.kind}.`, {
    facts: { [kind.name.fact]: name, field },
    hint: didYouMean(nearest, `The fields are ${fields.join(', ')}.`),
  })
}

/** The result of a zod schema, by structure. */
interface ParseResult {
  readonly success: boolean
  readonly error?:
    | { readonly issues: readonly { readonly path: readonly PropertyKey[]; message: string }[] }
    | undefined
}

/** Throws the first issue of a parsed definition, which names the field. */
export function checkParsed(definition: unknown, result: ParseResult, kind: FieldRules): void {
  if (result.success) return
  const [issue] = result.error?.issues ?? []
  const field = issue?.path.map(String).join('.') ?? ''
  throw definitionError(definition, field, issue?.message ?? 'is wrong', kind)
}

/** Creates the error for a field with a wrong value. `what` is the end of a sentence: `must be text`. */
export function definitionError(
  definition: unknown,
  field: string,
  what: string,
  kind: FieldRules,
  hint: string = kind.hint,
): WorkspaceError {
  const name = isObject(definition) ? definition[kind.name.field] : undefined
  const shown = typeof name === 'string' ? ` "${name}"` : ''
  const place = field === '' ? '' : `, field "${field}"`
  return new WorkspaceError(kind.code, `${kind.subject}${shown}${place}: ${what}.`, {
    facts: { [kind.name.fact]: name, field },
    hint,
  })
}
