import type { JsonSchema } from '../../kernel/json.ts'
import { isSchemaObject, subschemasOf } from './subschemas.ts'

/**
 * True when a schema names a property that every object inherits, such as `constructor`.
 * Schema libraries read an absent one as the inherited function; give them a `bareCopy`.
 */
export function namesInherited(schema: JsonSchema): boolean {
  const { properties } = schema
  const own = isSchemaObject(properties) ? Object.keys(properties) : []
  return (
    own.some((name) => name in Object.prototype) ||
    subschemasOf(schema).some((child) => namesInherited(child.schema))
  )
}

/** A copy of a JSON value whose objects inherit nothing. */
export function bareCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(bareCopy)
  const bare: object = Object.create(null)
  for (const [name, member] of Object.entries(value)) {
    Object.defineProperty(bare, name, {
      value: bareCopy(member),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return bare
}
