import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { KEYWORD_SHAPES } from './keyword-shapes.ts'
import { mapSubschemas, subschemas } from './subschemas.ts'

/** Counts the steps of a validation. */
export const STEP_KEYWORD = 'loadoutStep'

/** Starts a schema with nothing evaluated; see `evaluatedKeywords`. */
export const EVALUATED_KEYWORD = 'loadoutEvaluated'

/** Corrects the number of evaluated items before `unevaluatedItems` uses it. */
export const SETTLED_KEYWORD = 'loadoutSettled'

/** Replaces `uniqueItems`, in linear instead of quadratic time. */
export const UNIQUE_KEYWORD = 'loadoutUnique'

/** The first keywords of each schema that a validator is compiled from. */
const STARTED = { [STEP_KEYWORD]: true, [EVALUATED_KEYWORD]: true }

/** The `maxContains` of a list that may contain any number of matching items. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER

/**
 * Creates the schema that a validator is compiled from, from the schema that the model reads.
 *
 * Regular expressions in content are never compiled, so `pattern` and `patternProperties` are left out:
 * they are advice for the model. If leaving one out would reverse a result (under `not`, in an `if`, in a
 * branch of `oneOf`), the surrounding keyword is also loosened, so that a value the author accepts is
 * never refused.
 *
 * Only keywords that affect validation are copied. Every schema in the copy counts as one step.
 */
export function validationCopy(root: JsonSchema): JsonSchema {
  const rootHasPattern = hasPattern(root)
  const loose = (schema: unknown) => rootHasPattern && isObject(schema) && isLoose(schema)

  function copy(schema: JsonSchema): JsonSchema {
    const kept: Record<string, unknown> = { ...STARTED }
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
    completeForAjv(kept)
    return kept
  }

  function loosen(schema: JsonSchema, kept: Record<string, unknown>): void {
    if (loose(schema['not'])) delete kept['not']
    if (loose(schema['contains'])) delete kept['maxContains']
    if (loose(schema['if'])) {
      for (const keyword of ['if', 'then', 'else']) delete kept[keyword]
      // All members that they may have evaluated count as evaluated.
      kept['additionalProperties'] ??= true
      kept['items'] ??= true
    }
    const { oneOf } = schema
    if (Array.isArray(oneOf) && oneOf.some(loose)) {
      const anyOf = kept['oneOf']
      delete kept['oneOf']
      kept['allOf'] = [
        ...((kept['allOf'] as readonly unknown[] | undefined) ?? []),
        { ...STARTED, anyOf },
      ]
    }
  }

  return copy(root)
}

/** Returns true if a schema contains a pattern, or a reference that may lead to one. */
function isLoose(schema: JsonSchema): boolean {
  return (
    Object.hasOwn(schema, '$ref') ||
    Object.hasOwn(schema, '$dynamicRef') ||
    ownPattern(schema) ||
    subschemas(schema).some((child) => isLoose(child.schema))
  )
}

function hasPattern(schema: JsonSchema): boolean {
  return ownPattern(schema) || subschemas(schema).some((child) => hasPattern(child.schema))
}

function ownPattern(schema: JsonSchema): boolean {
  return Object.hasOwn(schema, 'pattern') || Object.hasOwn(schema, 'patternProperties')
}

/** Rewrites keywords of one copied schema that ajv would misread or skip. */
function completeForAjv(kept: Record<string, unknown>): void {
  replaceDynamic(kept)
  completeIf(kept)
  countContained(kept)
  if (Object.hasOwn(kept, 'unevaluatedItems')) kept[SETTLED_KEYWORD] = true
  nameProto(kept)
}

/**
 * Replaces dynamic anchors and references by plain ones. They mean the same in a single document, and ajv
 * only finds plain ones.
 */
function replaceDynamic(kept: Record<string, unknown>): void {
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
 * Wraps an `if` in an `anyOf` with one branch, and ensures that it has a `then`. Otherwise ajv skips an `if`
 * without a real clause, and counts members as evaluated although the `if` failed.
 */
function completeIf(kept: Record<string, unknown>): void {
  const condition = kept['if']
  if (!isObject(condition)) return
  kept['if'] = { ...STARTED, anyOf: [condition] }
  if ((kept['then'] ?? true) === true) kept['then'] = STARTED
}

/** Adds a `maxContains`, because ajv only resets its state for each list if it counts items. */
function countContained(kept: Record<string, unknown>): void {
  if (Object.hasOwn(kept, 'contains')) kept['maxContains'] ??= NO_LIMIT
}

/** Repeats a property named `__proto__` as a pattern, because ajv skips the property. */
function nameProto(kept: Record<string, unknown>): void {
  const { properties } = kept
  if (isObject(properties) && Object.hasOwn(properties, '__proto__')) {
    kept['patternProperties'] = { '^__proto__$': properties['__proto__'] }
  }
}
