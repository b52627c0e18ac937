import type { JsonSchema } from '../../kernel/json.ts'
import { followReference, schemasInPlace } from '../schema/local-reference.ts'
import { isSchemaObject } from '../schema/subschemas.ts'
import { listOf, own, typesOf } from '../schema/members.ts'

/**
 * The arguments a model sent under the strict form, as the canonical schema means them: a null for a
 * member that is optional and takes none stands for "left out", and is left out.
 */
export function argumentsFromStrict(schema: JsonSchema, value: unknown): unknown {
  function restore(one: unknown, schemas: readonly JsonSchema[]): unknown {
    if (Array.isArray(one)) {
      const below = schemas.flatMap((each) => [
        ...(isSchemaObject(own(each, 'items')) ? [own(each, 'items') as JsonSchema] : []),
        ...listOf(each, 'prefixItems').filter(isSchemaObject),
      ])
      const items = below.flatMap(inPlace)
      return one.map((item) => restore(item, items))
    }
    if (!isSchemaObject(one)) return one
    const kept = Object.entries(one).flatMap(([name, member]) => {
      const below = schemas.flatMap((each) => memberOf(each, name)).flatMap(inPlace)
      const required = schemas.some((each) => listOf(each, 'required').includes(name))
      const isTaken = below.length === 0 || below.some(takesNull)
      if (member === null && !required && !isTaken) return []
      return [[name, restore(member, below)] as const]
    })
    return Object.fromEntries(kept)
  }

  function inPlace(one: JsonSchema): readonly JsonSchema[] {
    return [...schemasInPlace(one, schema)]
  }

  function takesNull(one: JsonSchema): boolean {
    const reference = own(one, '$ref')
    if (typeof reference === 'string' && followReference(reference, schema) === undefined)
      return true
    const types = typesOf(one)
    const values = own(one, 'const') === null || listOf(one, 'enum').includes(null)
    return types.includes('null') || values || (types.length === 0 && isOpen(one))
  }

  return restore(value, inPlace(schema))
}

function memberOf(schema: JsonSchema, name: string): readonly JsonSchema[] {
  const properties = own(schema, 'properties')
  const member = isSchemaObject(properties) ? own(properties, name) : undefined
  return isSchemaObject(member) ? [member] : []
}

/** It says nothing that a null would not fit. */
function isOpen(schema: JsonSchema): boolean {
  return !['$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'].some((keyword) =>
    Object.hasOwn(schema, keyword),
  )
}
