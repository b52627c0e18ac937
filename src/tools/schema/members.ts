import type { JsonSchema } from '../../kernel/json.ts'
import { isSchemaObject } from './subschemas.ts'

/** A member of a schema that is its own, not one that every object inherits. */
export function own(schema: JsonSchema, keyword: string): unknown {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
}

/** The named schemas under a keyword such as `properties`, in their order. */
export function namedSchemas(schema: JsonSchema, keyword: string): readonly [string, unknown][] {
  const value = own(schema, keyword)
  return isSchemaObject(value) ? Object.entries(value) : []
}

/** The list under a keyword such as `anyOf` or `required`; empty when there is none. */
export function listOf(schema: JsonSchema, keyword: string): readonly unknown[] {
  const value = own(schema, keyword)
  return Array.isArray(value) ? value : []
}

/** The types a schema names; empty when it names none. */
export function typesOf(schema: JsonSchema): readonly string[] {
  const type = own(schema, 'type')
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string')
}
