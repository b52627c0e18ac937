import type { JsonSchema } from '../../kernel/json.ts'
import { isSchemaObject, pointerTokens, subschemasOf } from './subschemas.ts'

/** Keywords whose schemas look at the very value their parent looks at. */
const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
])

/** The schema a local reference (`#/$defs/node`, `#`) points at; anchors are not followed. */
export function followReference(reference: string, root: JsonSchema): JsonSchema | undefined {
  if (reference === '#') return root
  let place: unknown = root
  for (const name of pointerTokens(referencePath(reference))) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined
    place = (place as JsonSchema)[name]
  }
  return isSchemaObject(place) ? place : undefined
}

/** `#/$defs/a%20b` as the pointer `/$defs/a b`. */
export function referencePath(reference: string): string {
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return reference.slice(1)
  }
}

/** A schema and all that apply to the same value beside it, through combinators and references. */
export function schemasInPlace(schema: JsonSchema, root: JsonSchema): ReadonlySet<JsonSchema> {
  return gather(schema, root, (keyword) => IN_PLACE.has(keyword))
}

/** A schema and all it leads to, at whatever depth of the value, through references too. */
export function schemasReached(schema: JsonSchema, root: JsonSchema): ReadonlySet<JsonSchema> {
  return gather(schema, root, (keyword) => keyword !== '$defs' && keyword !== 'definitions')
}

/** Sets are walked as they grow, so each schema is visited once and cycles end. */
function gather(
  schema: JsonSchema,
  root: JsonSchema,
  enters: (keyword: string) => boolean,
): ReadonlySet<JsonSchema> {
  const found = new Set([schema])
  for (const one of found) {
    const { $ref } = one
    const target = typeof $ref === 'string' ? followReference($ref, root) : undefined
    if (target !== undefined) found.add(target)
    for (const { keyword, schema: child } of subschemasOf(one)) {
      if (enters(keyword)) found.add(child)
    }
  }
  return found
}
