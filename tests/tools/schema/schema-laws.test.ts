import {
  registerSchema,
  unregisterSchema,
  validate,
  type SchemaObject,
} from '@hyperjump/json-schema/draft-2020-12'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../src/kernel/json-value.ts'
import { WorkspaceError } from '../../../src/kernel/workspace-error.ts'
import { readInputSchema } from '../../../src/tools/schema/read-schema.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const name = fc.constantFrom('a', 'b', 'pattern', '__proto__', 'constructor')

/**
 * Pairs of patterns with the same matches. The second of each refers back to a group, so that it cannot be
 * checked.
 */
const PATTERNS = { '^a': '^()a\\1', '^b': '^()b\\1', '^c': '^()c\\1' }

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
const root = fc
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

const value = fc.dictionary(name, argument, { maxKeys: 3 })

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** Validates with another validator than ours, which uses the unchanged schema. */
async function reference(schema: JsonSchema, input: Json): Promise<boolean> {
  const id = 'https://loadout.invalid/reference'
  registerSchema({ $schema: DIALECT, ...schema } as SchemaObject, id)
  try {
    return (await validate(id, input)).valid
  } finally {
    unregisterSchema(id)
  }
}

test('the verdict is the one of the specification', async () => {
  const verdicts = { true: 0, false: 0 }
  await fc.assert(
    fc.asyncProperty(root, value, async (schema, input) => {
      fc.pre(!mentions(schema, '__proto__'))
      const ok = await reference(schema, input)
      verdicts[`${ok}`] += 1
      expect(await readInputSchema(schema).parse(input)).toMatchObject({ ok })
    }),
    { numRuns: 1_000 },
  )
  expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(100)
})

test('a value that the author accepts is never refused for a pattern that cannot be checked', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(root, value, async (schema, input) => {
      fc.pre(!mentions(schema, '__proto__') && (await reference(schema, input)))
      compared += 1
      expect(await readInputSchema(withUncheckable(schema)).parse(input)).toMatchObject({
        ok: true,
      })
    }),
    { numRuns: 300 },
  )
  expect(compared).toBe(300)
})

function withUncheckable(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    Object.entries(PATTERNS).reduce(
      (text, [pattern, same]) => text.replaceAll(JSON.stringify(pattern), JSON.stringify(same)),
      JSON.stringify(schema),
    ),
  ) as JsonSchema
}

test.each<[string, JsonSchema, Json]>([
  [
    'a condition that does not hold evaluates no property',
    { if: { unevaluatedProperties: false }, unevaluatedProperties: false },
    { a: 'a' },
  ],
  [
    'what one element evaluated is not evaluated in the next',
    { items: { anyOf: [{ properties: { a: { const: 1 } } }, {}], unevaluatedProperties: false } },
    [{ a: 1 }, { a: 2 }],
  ],
  [
    'an inherited name is not evaluated',
    { anyOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    { constructor: 1 },
  ],
  [
    'a branch that speaks of no item evaluates none',
    { oneOf: [{ prefixItems: [{ const: 1 }] }, { type: 'array' }], unevaluatedItems: false },
    ['a'],
  ],
  [
    'what the condition behind a reference left over is not evaluated',
    { $ref: '#/$defs/a', unevaluatedProperties: false },
    { a: 1, b: 1 },
  ],
  [
    'an empty list does not hold what the list before it held',
    { items: { contains: { const: 1 } } },
    [[1], []],
  ],
])('%s', async (_, inner, input) => {
  const a = {
    if: { unevaluatedProperties: { const: 2 } },
    then: { properties: { a: {} } },
    else: true,
  }
  const schema = { type: 'object', properties: { value: inner }, $defs: { a } }
  expect(await reference(schema, { value: input })).toBe(false)
  expect(await readInputSchema(schema).parse({ value: input })).toMatchObject({ ok: false })
})

test('reading a schema that was read changes nothing', () => {
  fc.assert(
    fc.property(root, fc.boolean(), (schema, open) => {
      const { additionalProperties: _, ...closing } = schema
      const once = readInputSchema(open ? schema : closing).jsonSchema
      expect(readInputSchema(once).jsonSchema).toEqual(once)
    }),
  )
})

test('any JSON is read or refused with one of our errors, and any value is parsed', async () => {
  const keyword = fc.constantFrom('type', 'properties', '$ref', 'items', 'allOf', 'enum', '$defs')
  const anything = fc.dictionary(keyword, fc.oneof(fc.jsonValue(), root), { maxKeys: 4 })
  await fc.assert(
    fc.asyncProperty(fc.oneof(root, anything), fc.anything(), async (schema, input) => {
      const read = attempt(() => readInputSchema(schema))
      if (read !== undefined) expect(await read.parse(input)).toHaveProperty('ok')
    }),
  )
})

function mentions(schema: object, word: string): boolean {
  return JSON.stringify(schema).includes(`"${word}`)
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    expect(WorkspaceError.is(error)).toBe(true)
    return undefined
  }
}
