import { NO_LIMIT, SETTLED_KEYWORD, STARTED } from './own-keywords.ts'
import { isSchemaObject } from './subschemas.ts'

/** Say again, in a copy of one schema, what ajv would misread or pass over as it stands. */
export function completeForAjv(kept: Record<string, unknown>): void {
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
  if (!isSchemaObject(condition)) return
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
  if (isSchemaObject(properties) && Object.hasOwn(properties, '__proto__')) {
    kept['patternProperties'] = { '^__proto__$': properties['__proto__'] }
  }
}
