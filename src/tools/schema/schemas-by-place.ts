import type { JsonSchema } from '../../kernel/json.ts'
import { schemasInPlace } from './local-reference.ts'
import { isSchemaObject, pointerTokens } from './subschemas.ts'

/** Keywords that say what members without a name of their own are, and items likewise. */
const FURTHER = ['additionalProperties', 'unevaluatedProperties'] as const
const ITEMS = ['prefixItems', 'items', 'additionalItems', 'unevaluatedItems'] as const

interface Place {
  readonly schemas: ReadonlySet<JsonSchema>
  readonly below: Map<string, Place>
}

/**
 * Finds every schema that may apply to the value at a path, in whichever branch. Paths share
 * what was walked for others, so asking for many in a deep value takes time with its size.
 */
export function schemasByPlace(root: JsonSchema): (path: string) => ReadonlySet<JsonSchema> {
  const top: Place = { schemas: schemasInPlace(root, root), below: new Map() }
  return (path) => {
    let place = top
    for (const name of pointerTokens(path)) {
      const known = place.below.get(name)
      const next = known ?? { schemas: step(place.schemas, name, root), below: new Map() }
      if (known === undefined) place.below.set(name, next)
      place = next
    }
    return place.schemas
  }
}

/** True when a schema names a member, or lets in members it does not name. */
export function admits(schema: JsonSchema, name: string): boolean {
  const { properties, patternProperties } = schema
  return (
    (isSchemaObject(properties) && Object.hasOwn(properties, name)) ||
    patternProperties !== undefined ||
    FURTHER.some((keyword) => Object.hasOwn(schema, keyword) && schema[keyword] !== false)
  )
}

function step(
  schemas: ReadonlySet<JsonSchema>,
  name: string,
  root: JsonSchema,
): ReadonlySet<JsonSchema> {
  const below = new Set<JsonSchema>()
  for (const schema of schemas) {
    for (const child of members(schema, name)) {
      for (const one of schemasInPlace(child, root)) below.add(one)
    }
  }
  return below
}

function members(schema: JsonSchema, name: string): readonly JsonSchema[] {
  const { properties, patternProperties } = schema
  const named =
    isSchemaObject(properties) && Object.hasOwn(properties, name)
      ? [properties[name]]
      : FURTHER.map((keyword) => schema[keyword])
  const matched = isSchemaObject(patternProperties) ? Object.values(patternProperties) : []
  const items = /^\d+$/u.test(name) ? ITEMS.flatMap((keyword) => schema[keyword]) : []
  return [...named, ...matched, ...items].filter(isSchemaObject)
}
