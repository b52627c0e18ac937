import type { JsonSchema } from '../../kernel/json.ts'

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
export function placeOf(keyword: string): 'named' | 'direct' | null {
  return NAMED.has(keyword) ? 'named' : DIRECT.has(keyword) ? 'direct' : null
}

/** A schema inside another one; `pointer` leads to it from there, such as `/properties/name`. */
export interface Subschema {
  readonly keyword: string
  readonly pointer: string
  readonly schema: JsonSchema
}

/** True for a schema that is an object, not for the schemas `true` and `false`. */
export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The schemas directly inside a schema. An argument that happens to be named `items` or
 * `pattern` is told from the keyword, and values of `const`, `enum` and `default` are left alone.
 */
export function subschemasOf(schema: JsonSchema): readonly Subschema[] {
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
    const isHolder = NAMED.has(keyword) ? isSchemaObject(value) : Array.isArray(value)
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
    if (NAMED.has(keyword) && isSchemaObject(value)) {
      return mapMembers(value, (child, name) =>
        isSchemaObject(child) ? change(child, keyword, at(name)) : child,
      )
    }
    if (!DIRECT.has(keyword)) return value
    if (Array.isArray(value)) {
      return value.map((child, index) =>
        isSchemaObject(child) ? change(child, keyword, at(index)) : child,
      )
    }
    return isSchemaObject(value) ? change(value, keyword, `/${keyword}`) : value
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
