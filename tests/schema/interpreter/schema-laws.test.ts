import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../src/kernel/json-value.ts'
import { WorkspaceError } from '../../../src/kernel/workspace-error.ts'
import { readInputSchema } from '../../../src/schema/interpreter/read-schema.ts'
import { type Json, randomArguments, randomSchema, reference } from './random-schema.ts'

/**
 * Pairs of patterns with the same matches. The second of each refers back to a group, so that it cannot be
 * checked.
 */
const PATTERNS = { '^a': '^()a\\1', '^b': '^()b\\1', '^c': '^()c\\1' }

test('the verdict is the one of the specification', async () => {
  const verdicts = { true: 0, false: 0 }
  await fc.assert(
    fc.asyncProperty(randomSchema, randomArguments, async (schema, input) => {
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
    fc.asyncProperty(randomSchema, randomArguments, async (schema, input) => {
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
    fc.property(randomSchema, fc.boolean(), (schema, open) => {
      const { additionalProperties: _, ...closing } = schema
      const once = readInputSchema(open ? schema : closing).jsonSchema
      expect(readInputSchema(once).jsonSchema).toEqual(once)
    }),
  )
})

test('any JSON is read or refused with one of our errors, and any value is parsed', async () => {
  const keyword = fc.constantFrom('type', 'properties', '$ref', 'items', 'allOf', 'enum', '$defs')
  const anything = fc.dictionary(keyword, fc.oneof(fc.jsonValue(), randomSchema), { maxKeys: 4 })
  await fc.assert(
    fc.asyncProperty(fc.oneof(randomSchema, anything), fc.anything(), async (schema, input) => {
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
