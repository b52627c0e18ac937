import type { JsonSchema } from '../../kernel/json.ts'
import { listOf, own, typesOf } from '../schema/members.ts'

/** The types of a schema: those it names, else those its other keywords speak of. Empty for any. */
export function impliedTypes(schema: JsonSchema): readonly string[] {
  const named = typesOf(schema)
  if (named.length > 0) return named
  if (own(schema, 'properties') !== undefined) return ['object']
  if (own(schema, 'items') !== undefined || own(schema, 'prefixItems') !== undefined) {
    return ['array']
  }
  const constant = own(schema, 'const')
  const values = constant === undefined ? listOf(schema, 'enum') : [constant]
  return [...new Set(values.map(typeOf))]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
