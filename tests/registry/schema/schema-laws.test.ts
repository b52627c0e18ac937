import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WorkspaceError } from '../../../src/kernel/workspace-error.ts'
import { readInputSchema } from '../../../src/registry/schema/read-schema.ts'

const name = fc.constantFrom('a', 'b', 'pattern', '__proto__', 'constructor')

/** Where leaving a pattern out could turn a verdict around; chance alone meets them too rarely. */
const turning = fc.constantFrom<object>(
  { patternProperties: { '^a': {} }, additionalProperties: false },
  { not: { pattern: '^b' } },
  { not: { not: { pattern: '^a' } } },
  { oneOf: [{ pattern: '^a' }, { pattern: '^b' }] },
  { if: { pattern: '^b' }, then: false, else: {} },
  { contains: { pattern: '^a' }, maxContains: 1 },
)

/** Schemas that use most keywords, nest a few levels and may refer to some others. */
function schemaOf(references: readonly string[]): fc.Arbitrary<object> {
  return fc.letrec<{ schema: object }>((tie) => {
    const inner = fc.oneof({ maxDepth: 2, depthSize: 'small' }, turning, tie('schema'))
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
      pattern: fc.constantFrom('^a', '^b'),
      properties: named,
      patternProperties: fc.dictionary(fc.constantFrom('^a', '^c'), inner, { maxKeys: 1 }),
      additionalProperties: fc.oneof(fc.boolean(), inner),
      unevaluatedProperties: fc.boolean(),
      propertyNames: inner,
      allOf: some,
      anyOf: some,
      oneOf: some,
      not: inner,
      if: inner,
      then: inner,
      else: inner,
      items: inner,
      contains: inner,
      maxContains: fc.integer({ min: 1, max: 2 }),
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

/** References lead one way, so that a validator without a step limit comes to an end. */
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

const argument: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('a', 'bc', '', 1, -3, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
})).value

const value = fc.dictionary(name, argument, { maxKeys: 3 })

/** What a validator says that runs the schema as it is written; undefined when it cannot. */
function reference(schema: object, input: unknown): boolean | undefined {
  const options = {
    strict: false,
    ownProperties: true,
    validateSchema: false,
    logger: false,
  } as const
  try {
    return new Ajv2020(options).compile({ $id: 'reference', ...schema })(input)
  } catch {
    return undefined
  }
}

test('what the author accepts is never refused, whatever its patterns say', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(root, value, async (schema, input) => {
      fc.pre(!mentions(schema, '__proto__'))
      const expected = reference(schema, input)
      fc.pre(expected === true)
      compared += 1
      expect(await readInputSchema(schema).parse(input)).toEqual({ ok: true, value: input })
    }),
    { numRuns: 300 },
  )
  expect(compared).toBe(300)
})

test('without patterns, what the author refuses is refused', async () => {
  await fc.assert(
    fc.asyncProperty(root, value, async (schema, input) => {
      fc.pre(!mentions(schema, '__proto__') && !mentions(schema, 'pattern'))
      // The gap that the next test holds.
      fc.pre(!mentions(schema, 'if') || !mentions(schema, 'unevaluatedProperties'))
      fc.pre(reference(schema, input) === false)
      expect(await readInputSchema(schema).parse(input)).toMatchObject({ ok: false })
    }),
    // About one pair in a hundred is refused: a limit of as many skips would end every other run.
    { numRuns: 300, maxSkipsPerRun: 1_000 },
  )
})

test.fails('a condition that does not hold evaluates no property', async () => {
  const closed = { if: { unevaluatedProperties: false }, unevaluatedProperties: false }
  const schema = {
    $ref: '#/$defs/b',
    type: 'object',
    additionalProperties: true,
    $defs: { b: closed },
  }
  expect(reference(schema, { a: 'a' })).toBe(false)
  expect(await readInputSchema(schema).parse({ a: 'a' })).toMatchObject({ ok: false })
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

test('any JSON is read or refused by an error of ours, and any value parsed', async () => {
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
