import { isObject, type JsonSchema } from '../../kernel/json-value.ts'

/** Keywords whose members are schemas under names that an author chose. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
])

/** Keywords that hold one schema, or a list of them. */
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

/** Whether a keyword holds schemas by name, or directly: one of them, or a list. */
export function keywordPlace(keyword: string): 'named' | 'direct' | null {
  return NAMED.has(keyword) ? 'named' : DIRECT.has(keyword) ? 'direct' : null
}

/** A schema inside another one; `pointer` leads to it from there, such as `/properties/name`. */
interface Subschema {
  readonly keyword: string
  readonly pointer: string
  readonly schema: JsonSchema
}

/**
 * The schemas directly inside a schema. An argument that happens to be named `items` or
 * `pattern` is told from the keyword, and values of `const`, `enum` and `default` are left alone.
 */
export function subschemas(schema: JsonSchema): readonly Subschema[] {
  const found: Subschema[] = []
  mapSubschemas(schema, (child, keyword, pointer) => {
    found.push({ keyword, pointer, schema: child })
    return child
  })
  return found
}

/** Where the schemas `true` and `false` stand directly inside a schema, as pointers from there. */
export function booleanPlaces(schema: JsonSchema): readonly string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (DIRECT.has(keyword) && typeof value === 'boolean') return [`/${keyword}`]
    const isHolder = NAMED.has(keyword) ? isObject(value) : Array.isArray(value)
    if (!isHolder || !(NAMED.has(keyword) || DIRECT.has(keyword))) return []
    return Object.entries(value as object).flatMap(([name, child]) =>
      typeof child === 'boolean' ? [`/${keyword}/${pointerToken(name)}`] : [],
    )
  })
}

/** A copy of a schema in which each schema directly inside it is changed; the rest is shared. */
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

/** One step of a JSON Pointer. */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The names a JSON Pointer leads along. */
export function pointerTokens(pointer: string): readonly string[] {
  const steps = pointer.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** `Object.fromEntries` makes `__proto__` a member like any other. */
function mapMembers(
  object: JsonSchema,
  change: (value: unknown, key: string) => unknown,
): JsonSchema {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
}

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
  return isObject(place) ? place : undefined
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
    for (const { keyword, schema: child } of subschemas(one)) {
      if (enters(keyword)) found.add(child)
    }
  }
  return found
}

/** A member of a schema that is its own, not one that every object inherits. */
export function keywordValue(schema: JsonSchema, keyword: string): unknown {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
}

/** The named schemas under a keyword such as `properties`, in their order. */
export function namedSchemas(schema: JsonSchema, keyword: string): readonly [string, unknown][] {
  const value = keywordValue(schema, keyword)
  return isObject(value) ? Object.entries(value) : []
}

/** The list under a keyword such as `anyOf` or `required`; empty when there is none. */
export function listOf(schema: JsonSchema, keyword: string): readonly unknown[] {
  const value = keywordValue(schema, keyword)
  return Array.isArray(value) ? value : []
}

/** The types a schema names; empty when it names none. */
export function typesOf(schema: JsonSchema): readonly string[] {
  const type = keywordValue(schema, 'type')
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string')
}
