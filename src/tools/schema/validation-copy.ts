import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { KEYWORD_SHAPES } from './keyword-shapes.ts'
import { mapSubschemas, subschemas } from './subschemas.ts'

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
      // Whatever they may have evaluated is taken for evaluated.
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

/** A pattern stands in it, or may stand behind one of its references. */
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

/** Say again, in a copy of one schema, what ajv would misread or pass over as it stands. */
function completeForAjv(kept: Record<string, unknown>): void {
  settleDynamic(kept)
  completeIf(kept)
  countContained(kept)
  if (Object.hasOwn(kept, 'unevaluatedItems')) kept[SETTLED_KEYWORD] = true
  nameProto(kept)
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
 * ajv skips an `if` that no clause of substance follows, and takes over what one has evaluated that
 * does not hold; the only branch of an `anyOf` is heard only when it does.
 */
function completeIf(kept: Record<string, unknown>): void {
  const condition = kept['if']
  if (!isObject(condition)) return
  kept['if'] = { ...STARTED, anyOf: [condition] }
  if ((kept['then'] ?? true) === true) kept['then'] = STARTED
}

/** Counting items, ajv begins anew with each list; looking for the first one, it does not. */
function countContained(kept: Record<string, unknown>): void {
  if (Object.hasOwn(kept, 'contains')) kept['maxContains'] ??= NO_LIMIT
}

/** ajv passes over a property named `__proto__`; under a pattern of our own it is read. */
function nameProto(kept: Record<string, unknown>): void {
  const { properties } = kept
  if (isObject(properties) && Object.hasOwn(properties, '__proto__')) {
    kept['patternProperties'] = { '^__proto__$': properties['__proto__'] }
  }
}

/** Counts the steps of a validation. */
export const STEP_KEYWORD = 'loadoutStep'

/** Starts a schema with nothing evaluated; see `evaluatedKeywords`. */
export const EVALUATED_KEYWORD = 'loadoutEvaluated'

/** Says how many items are evaluated, where `unevaluatedItems` asks. */
export const SETTLED_KEYWORD = 'loadoutSettled'

/** `uniqueItems`, in time in proportion to the list, not to its square. */
export const UNIQUE_KEYWORD = 'loadoutUnique'

/** What each schema begins with that a validator is compiled from. */
const STARTED = { [STEP_KEYWORD]: true, [EVALUATED_KEYWORD]: true }

/** The `maxContains` of a list that may hold any number of fitting items. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER
