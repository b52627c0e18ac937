import {
  registerSchema,
  unregisterSchema,
  validate,
  type SchemaObject,
} from '@hyperjump/json-schema/draft-2020-12'
import fc from 'fast-check'
import type { JsonSchema } from '../../../src/kernel/json-value.ts'

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const name = fc.constantFrom('a', 'b', 'pattern', '__proto__', 'constructor')

/** Places where leaving a pattern out could reverse a result. Random schemas contain them too rarely. */
const turning = fc.constantFrom<object>(
  { patternProperties: { '^a': {} }, additionalProperties: false },
  { not: { pattern: '^b' } },
  { not: { not: { pattern: '^a' } } },
  { oneOf: [{ pattern: '^a' }, { pattern: '^b' }] },
  { if: { pattern: '^b' }, then: false, else: {} },
  { contains: { pattern: '^a' }, maxContains: 1 },
)

/** Small schemas that a value of these tests may well fit, or not. */
const telling = fc.constantFrom<object | boolean>(
  true,
  false,
  { const: 1 },
  { type: 'string' },
  { required: ['a'] },
  { properties: { a: { const: 1 } } },
  { prefixItems: [{ const: 1 }] },
  { contains: { const: 1 } },
  { unevaluatedProperties: false },
)

/** Schemas that use most keywords, nest a few levels and may refer to some others. */
function schemaOf(references: readonly string[]): fc.Arbitrary<JsonSchema> {
  return fc.letrec<{ schema: JsonSchema }>((tie) => {
    const inner = fc.oneof({ maxDepth: 2, depthSize: 'small' }, turning, telling, tie('schema'))
    const some = fc.array(inner, { minLength: 1, maxLength: 2 })
    const named = fc.dictionary(name, inner, { maxKeys: 2 })
    const keywords = {
      type: fc.constantFrom('object', 'string', 'number', ['object', 'string']),
      minimum: fc.integer({ min: -2, max: 2 }),
      minLength: fc.integer({ min: 0, max: 2 }),
      const: fc.constantFrom('a', 1),
      enum: fc.constant(['a', 'b', 1]),
      required: fc.uniqueArray(name, { maxLength: 1 }),
      uniqueItems: fc.boolean(),
      properties: named,
      additionalProperties: fc.oneof(fc.boolean(), inner),
      unevaluatedProperties: fc.oneof(fc.boolean(), inner),
      unevaluatedItems: fc.oneof(fc.boolean(), inner),
      dependentSchemas: named,
      propertyNames: inner,
      allOf: some,
      anyOf: some,
      oneOf: some,
      not: inner,
      if: inner,
      then: inner,
      else: inner,
      items: inner,
      prefixItems: some,
      contains: inner,
      minContains: fc.integer({ min: 0, max: 2 }),
      maxContains: fc.integer({ min: 1, max: 2 }),
      pattern: fc.constantFrom('^a', '^b'),
      patternProperties: fc.dictionary(fc.constantFrom('^a', '^c'), inner, { maxKeys: 1 }),
      ...(references.length > 0 && { $ref: fc.constantFrom(...references) }),
    }
    const few = fc.uniqueArray(fc.constantFrom(...Object.keys(keywords)), { maxLength: 4 })
    const schema = few.chain((chosen) =>
      fc.record(
        Object.fromEntries(
          chosen.map((keyword) => [keyword, keywords[keyword as keyof typeof keywords]]),
        ) as Record<string, fc.Arbitrary<unknown>>,
      ),
    )
    return { schema }
  }).schema
}

/** References only lead forward, so that a validator without a step limit ends. */
export const randomSchema = fc
  .record({
    top: schemaOf(['#/$defs/a', '#/$defs/b']),
    a: schemaOf(['#/$defs/b']),
    b: schemaOf([]),
  })
  .map(({ top, a, b }) => ({
    additionalProperties: true,
    ...top,
    type: 'object',
    $defs: { a, b },
  }))

const argument = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('a', 'bc', '', 1, -3, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
})).value

/** Arguments for such a schema. */
export const randomArguments = fc.dictionary(name, argument, { maxKeys: 3 })

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** Validates with another validator than ours, which uses the unchanged schema. */
export async function reference(schema: JsonSchema, input: Json): Promise<boolean> {
  const id = 'https://loadout.invalid/reference'
  registerSchema({ $schema: DIALECT, ...schema } as SchemaObject, id)
  try {
    return (await validate(id, input)).valid
  } finally {
    unregisterSchema(id)
  }
}
