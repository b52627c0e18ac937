import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import {
  followReference,
  keywordValue,
  listOf,
  schemasInPlace,
  typesOf,
} from '../interpreter/subschemas.ts'

/**
 * Converts arguments that a model sent for the strict form to those of the canonical schema: a null for an
 * optional member that does not allow null means that it is absent, and is removed.
 */
export function argumentsFromStrict(schema: JsonSchema, value: unknown): unknown {
  function restore(one: unknown, schemas: readonly JsonSchema[]): unknown {
    if (Array.isArray(one)) {
      const below = schemas.flatMap((each) => [
        ...(isObject(keywordValue(each, 'items'))
          ? [keywordValue(each, 'items') as JsonSchema]
          : []),
        ...listOf(each, 'prefixItems').filter(isObject),
      ])
      const items = below.flatMap(inPlace)
      return one.map((item) => restore(item, items))
    }
    if (!isObject(one)) return one
    const kept = Object.entries(one).flatMap(([name, member]) => {
      const below = schemas.flatMap((each) => findMember(each, name)).flatMap(inPlace)
      const required = schemas.some((each) => listOf(each, 'required').includes(name))
      const allowsNull = below.length === 0 || below.some(takesNull)
      if (member === null && !required && !allowsNull) return []
      return [[name, restore(member, below)] as const]
    })
    return Object.fromEntries(kept)
  }

  function inPlace(one: JsonSchema): readonly JsonSchema[] {
    return [...schemasInPlace(one, schema)]
  }

  function takesNull(one: JsonSchema): boolean {
    const reference = keywordValue(one, '$ref')
    if (typeof reference === 'string' && followReference(reference, schema) === undefined)
      return true
    const types = typesOf(one)
    const values = keywordValue(one, 'const') === null || listOf(one, 'enum').includes(null)
    return types.includes('null') || values || (types.length === 0 && isOpen(one))
  }

  return restore(value, inPlace(schema))
}

function findMember(schema: JsonSchema, name: string): readonly JsonSchema[] {
  const properties = keywordValue(schema, 'properties')
  const member = isObject(properties) ? keywordValue(properties, name) : undefined
  return isObject(member) ? [member] : []
}

/** Returns true if no keyword of a schema excludes null. */
function isOpen(schema: JsonSchema): boolean {
  return !['$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'].some((keyword) =>
    Object.hasOwn(schema, keyword),
  )
}
