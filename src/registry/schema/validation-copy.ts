import type { JsonSchema } from '../../kernel/json.ts'
import { KEYWORD_SHAPES } from './keyword-shapes.ts'
import { isSchemaObject, mapSubschemas, subschemasOf } from './subschemas.ts'

/** Our keyword that counts the steps of a validation. */
export const STEP_KEYWORD = 'loadoutStep'

/** Our keyword for `uniqueItems`, which takes time in proportion to the list, not its square. */
export const UNIQUE_KEYWORD = 'loadoutUnique'

/**
 * The schema a validator is compiled from, made from the one a model is told.
 *
 * No regular expression that came with content is ever compiled, so `pattern` and
 * `patternProperties` are left out: what they say is advice to the model. Where leaving one out
 * would turn a verdict around (under `not`, in an `if`, in a branch of `oneOf`), the keyword
 * around it is loosened too, so a value the author accepts is never refused.
 *
 * Only keywords that decide about values are carried over. Every schema in it counts a step.
 */
export function validationCopy(root: JsonSchema): JsonSchema {
  const rootHasPattern = hasPattern(root)
  const loose = (schema: unknown) => rootHasPattern && isSchemaObject(schema) && isLoose(schema)

  function copy(schema: JsonSchema): JsonSchema {
    const kept: Record<string, unknown> = { [STEP_KEYWORD]: true }
    for (const [keyword, value] of Object.entries(mapSubschemas(schema, copy))) {
      if (KEYWORD_SHAPES.has(keyword)) kept[keyword] = value
    }
    delete kept['pattern']
    if (kept['uniqueItems'] === true) kept[UNIQUE_KEYWORD] = true
    delete kept['uniqueItems']
    if (Object.hasOwn(kept, 'patternProperties')) {
      delete kept['patternProperties']
      kept['additionalProperties'] = true
    }
    if (Array.isArray(kept['items'])) {
      kept['prefixItems'] = kept['items']
      delete kept['items']
      if (Object.hasOwn(kept, 'additionalItems')) kept['items'] = kept['additionalItems']
    }
    delete kept['additionalItems']
    loosen(schema, kept)
    settleDynamic(kept)
    completeIf(kept)
    nameProto(kept)
    return kept
  }

  function loosen(schema: JsonSchema, kept: Record<string, unknown>): void {
    if (loose(schema['not'])) delete kept['not']
    if (loose(schema['contains'])) delete kept['maxContains']
    if (loose(schema['if'])) {
      for (const keyword of ['if', 'then', 'else']) delete kept[keyword]
    }
    const { oneOf } = schema
    if (Array.isArray(oneOf) && oneOf.some(loose)) {
      const anyOf = kept['oneOf']
      delete kept['oneOf']
      kept['allOf'] = [...((kept['allOf'] as readonly unknown[] | undefined) ?? []), { anyOf }]
    }
  }

  return copy(root)
}

/**
 * A tool has one schema in one document, where a dynamic reference leads to the very anchor that a
 * plain one leads to; ajv finds only the plain one below a schema of its own.
 */
function settleDynamic(kept: Record<string, unknown>): void {
  if (Object.hasOwn(kept, '$dynamicAnchor') && !Object.hasOwn(kept, '$anchor')) {
    kept['$anchor'] = kept['$dynamicAnchor']
    delete kept['$dynamicAnchor']
  }
  if (Object.hasOwn(kept, '$dynamicRef') && !Object.hasOwn(kept, '$ref')) {
    kept['$ref'] = kept['$dynamicRef']
    delete kept['$dynamicRef']
  }
}

/**
 * ajv forgets what an `if` has evaluated where no `then` follows; this one names it again, and says
 * nothing else.
 */
function completeIf(kept: Record<string, unknown>): void {
  const condition = kept['if']
  if (!isSchemaObject(condition) || Object.hasOwn(kept, 'then')) return
  const { properties } = condition
  const names = isSchemaObject(properties) ? Object.keys(properties) : []
  kept['then'] = {
    [STEP_KEYWORD]: true,
    properties: Object.fromEntries(names.map((name) => [name, true])),
  }
}

/** A pattern stands in it, or may stand behind one of its references. */
function isLoose(schema: JsonSchema): boolean {
  return (
    Object.hasOwn(schema, '$ref') ||
    Object.hasOwn(schema, '$dynamicRef') ||
    ownPattern(schema) ||
    subschemasOf(schema).some((child) => isLoose(child.schema))
  )
}

function hasPattern(schema: JsonSchema): boolean {
  return ownPattern(schema) || subschemasOf(schema).some((child) => hasPattern(child.schema))
}

function ownPattern(schema: JsonSchema): boolean {
  return Object.hasOwn(schema, 'pattern') || Object.hasOwn(schema, 'patternProperties')
}

/** ajv passes over a property named `__proto__`; under a pattern of our own it is read. */
function nameProto(kept: Record<string, unknown>): void {
  const { properties } = kept
  if (isSchemaObject(properties) && Object.hasOwn(properties, '__proto__')) {
    kept['patternProperties'] = { '^__proto__$': properties['__proto__'] }
  }
}
