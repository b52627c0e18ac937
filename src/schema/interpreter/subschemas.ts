import { hasMembers, isObject, type JsonSchema } from '../../kernel/json-value.ts'

/** Keywords for members without a schema of their own. They can refuse such members. */
export const CLOSING_KEYWORDS = ['additionalProperties', 'unevaluatedProperties'] as const

/** Keywords that contain schemas by name. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
])

/** Keywords that contain one schema, or a list of schemas. */
const DIRECT: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
])

/** Returns whether a keyword contains schemas by name or directly (one schema or a list); null for neither. */
export function keywordPlace(keyword: string): 'named' | 'direct' | null {
  return NAMED.has(keyword) ? 'named' : DIRECT.has(keyword) ? 'direct' : null
}

/** A schema inside another schema. `pointer` is relative to that schema, such as `/properties/name`. */
interface Subschema {
  readonly keyword: string
  readonly pointer: string
  readonly schema: JsonSchema
}

/**
 * Returns the schemas directly inside a schema. An argument named `items` or `pattern` is not confused with
 * the keyword, and values of `const`, `enum` and `default` are not searched.
 */
export function subschemas(schema: JsonSchema): readonly Subschema[] {
  const found: Subschema[] = []
  mapSubschemas(schema, (child, keyword, pointer) => {
    found.push({ keyword, pointer, schema: child })
    return child
  })
  return found
}

/** Returns every schema of a document by its pointer and by its anchors, the document itself first. */
export function schemaPlaces(root: JsonSchema): ReadonlyMap<string, JsonSchema | boolean> {
  const places = new Map<string, JsonSchema | boolean>()
  function visit(schema: JsonSchema, place: string): void {
    places.set(place, schema)
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = keywordValue(schema, keyword)
      if (typeof anchor === 'string') places.set(anchor, schema)
    }
    for (const [pointer, value] of booleanPlaces(schema)) places.set(place + pointer, value)
    for (const { pointer, schema: child } of subschemas(schema)) visit(child, place + pointer)
  }
  visit(root, '')
  return places
}

/** Returns pointers to the schemas `true` and `false` directly inside a schema. */
function booleanPlaces(schema: JsonSchema): readonly (readonly [string, boolean])[] {
  return Object.entries(schema).flatMap(([keyword, value]): readonly [string, boolean][] => {
    if (DIRECT.has(keyword) && typeof value === 'boolean') return [[`/${keyword}`, value]]
    const isHolder = NAMED.has(keyword) ? isObject(value) : Array.isArray(value)
    if (!isHolder || !(NAMED.has(keyword) || DIRECT.has(keyword))) return []
    return Object.entries(value as object).flatMap(([name, child]): [string, boolean][] =>
      typeof child === 'boolean' ? [[`/${keyword}/${pointerToken(name)}`, child]] : [],
    )
  })
}

/** Copies a schema and changes each schema directly inside it. Other values are shared. */
export function mapSubschemas(
  schema: JsonSchema,
  change: (child: JsonSchema, keyword: string, pointer: string) => unknown,
): JsonSchema {
  return mapMembers(schema, (value, keyword) => {
    const at = (key: string | number) => `/${pointerToken(keyword)}/${pointerToken(String(key))}`
    if (NAMED.has(keyword) && isObject(value)) {
      return mapMembers(value, (child, name) =>
        isObject(child) ? change(child, keyword, at(name)) : child,
      )
    }
    if (!DIRECT.has(keyword)) return value
    if (Array.isArray(value)) {
      return value.map((child, index) =>
        isObject(child) ? change(child, keyword, at(index)) : child,
      )
    }
    return isObject(value) ? change(value, keyword, `/${keyword}`) : value
  })
}

/** Escapes a name for a JSON Pointer. */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Returns the names in a JSON Pointer. */
export function pointerTokens(pointer: string): readonly string[] {
  const steps = pointer.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Maps the members of an object. `Object.fromEntries` also keeps a member named `__proto__`. */
function mapMembers(
  object: JsonSchema,
  change: (value: unknown, key: string) => unknown,
): JsonSchema {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
}

/** Keywords whose schemas apply to the same value as their parent. */
const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
])

/** Returns the schema of a local reference (`#/$defs/node`, `#`, `#node`). */
export function followReference(reference: string, root: JsonSchema): JsonSchema | undefined {
  if (reference === '#') return root
  const path = referencePath(reference)
  let place: unknown = path.startsWith('/') ? root : schemaPlaces(root).get(path)
  for (const name of pointerTokens(path)) {
    if (!hasMembers(place) || !Object.hasOwn(place, name)) return undefined
    place = place[name]
  }
  return isObject(place) ? place : undefined
}

/** Converts a reference to a pointer: `#/$defs/a%20b` to `/$defs/a b`. */
export function referencePath(reference: string): string {
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return reference.slice(1)
  }
}

/**
 * Returns a schema and all schemas that apply to the same value, through combinators and references.
 * Iterates over a set while it grows, so each schema is visited once and cycles end.
 */
export function schemasInPlace(schema: JsonSchema, root: JsonSchema): ReadonlySet<JsonSchema> {
  const found = new Set([schema])
  for (const one of found) {
    for (const reference of [keywordValue(one, '$ref'), keywordValue(one, '$dynamicRef')]) {
      const target = typeof reference === 'string' ? followReference(reference, root) : undefined
      if (target !== undefined) found.add(target)
    }
    for (const { keyword, schema: child } of subschemas(one)) {
      if (IN_PLACE.has(keyword)) found.add(child)
    }
  }
  return found
}

/** Returns an own member of a schema, never an inherited one. */
export function keywordValue(schema: JsonSchema, keyword: string): unknown {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
}

/** Returns the named schemas of a keyword such as `properties`, in order. */
export function namedSchemas(schema: JsonSchema, keyword: string): readonly [string, unknown][] {
  const value = keywordValue(schema, keyword)
  return isObject(value) ? Object.entries(value) : []
}

/** Returns the list of a keyword such as `anyOf` or `required`; empty if there is none. */
export function listOf(schema: JsonSchema, keyword: string): readonly unknown[] {
  const value = keywordValue(schema, keyword)
  return Array.isArray(value) ? value : []
}

/** Returns the types that a schema names; empty if it names none. */
export function typesOf(schema: JsonSchema): readonly string[] {
  const type = keywordValue(schema, 'type')
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string')
}
