import type { JsonSchema } from '../../kernel/json.ts'
import { completeForAjv } from './complete-for-ajv.ts'
import { KEYWORD_SHAPES } from './keyword-shapes.ts'
import { STARTED, UNIQUE_KEYWORD } from './own-keywords.ts'
import { isSchemaObject, mapSubschemas, subschemasOf } from './subschemas.ts'

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
    subschemasOf(schema).some((child) => isLoose(child.schema))
  )
}

function hasPattern(schema: JsonSchema): boolean {
  return ownPattern(schema) || subschemasOf(schema).some((child) => hasPattern(child.schema))
}

function ownPattern(schema: JsonSchema): boolean {
  return Object.hasOwn(schema, 'pattern') || Object.hasOwn(schema, 'patternProperties')
}
