import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readInputSchema, readOutputSchema } from '../../../src/schema/interpreter/read-schema.ts'
import type { AiSdkSchema, SchemaSource } from '../../../src/schema/interpreter/schema-source.ts'

describe('own parser', () => {
  async function issuesOf(schema: SchemaSource, value: unknown): Promise<readonly string[]> {
    const result = await readInputSchema(schema).parse(value)
    return result.ok ? [] : result.issues.map(({ path, message }) => `${path}: ${message}`)
  }

  const count = z.coerce.number<number>()

  const asJson = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value)

  const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)

  const base = z.object({ a: z.string() })

  const shape = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('circle'), radius: count.optional() }),
    z.object({ kind: z.literal('square'), side: count.optional() }),
  ])

  const loosely = z.union([
    z.object({ a: count, b: count, c: count }),
    z.object({ a: z.string(), d: z.string().optional() }),
  ])

  const tree = z.object({
    size: count,
    get children() {
      return z.array(tree).optional()
    },
  })

  function aiSdk(jsonSchema: object, validate: AiSdkSchema['validate']): AiSdkSchema {
    return {
      [Symbol.for('vercel.ai.schema')]: true,
      _type: undefined,
      jsonSchema,
      validate,
    } as never
  }

  describe('a parser of its own is the judge of values', () => {
    test.each<{ of: string; schema: SchemaSource; value: unknown; parsed: unknown }>([
      { of: 'a coercion', schema: z.object({ n: count }), value: { n: '5' }, parsed: { n: 5 } },
      {
        of: 'a preprocessed object that came as text',
        schema: z.object({ filter: z.preprocess(asJson, z.object({ tag: z.string() })) }),
        value: { filter: '{"tag":"x"}' },
        parsed: { filter: { tag: 'x' } },
      },
      {
        of: 'all arguments as text',
        schema: z.preprocess(asJson, base),
        value: '{"a":"x"}',
        parsed: { a: 'x' },
      },
      {
        of: 'a list in place of an object',
        schema: z.object({
          at: z.preprocess((v) => (Array.isArray(v) ? { x: v[0] } : v), z.object({ x: count })),
        }),
        value: { at: ['7'] },
        parsed: { at: { x: 7 } },
      },
      {
        of: 'a coercion in one part of an intersection',
        schema: z.intersection(
          base,
          z.union([z.object({ n: count }), z.object({ m: z.string() })]),
        ),
        value: { a: '', n: '5' },
        parsed: { a: '', n: 5 },
      },
      {
        of: 'coercions in a branch that JSON Schema likes less than another',
        schema: z.object({ at: loosely }),
        value: { at: { a: '1', b: '2', c: '3' } },
        parsed: { at: { a: 1, b: 2, c: 3 } },
      },
      {
        of: 'the same, and then transformed',
        schema: z.object({ at: loosely }).transform(({ at }) => Object.keys(at).length),
        value: { at: { a: '1', b: '2', c: '3' } },
        parsed: 3,
      },
      {
        of: 'coercions at every depth of a recursive schema',
        schema: tree,
        value: { size: '1', children: [{ size: '2', children: [] }] },
        parsed: { size: 1, children: [{ size: 2, children: [] }] },
      },
      {
        of: 'a discriminator that is preprocessed',
        schema: z.object({
          at: z.union([
            z.object({ kind: z.preprocess(lower, z.literal('circle')), radius: count }),
            z.object({ kind: z.preprocess(lower, z.literal('square')), side: count }),
          ]),
        }),
        value: { at: { kind: 'SQUARE', side: '2' } },
        parsed: { at: { kind: 'square', side: 2 } },
      },
      {
        of: 'what a validator of the AI SDK accepts',
        schema: aiSdk({ type: 'object', properties: { n: { type: 'number' } } }, (value) => ({
          success: true,
          value: { n: Number((value as { n: unknown }).n) },
        })),
        value: { n: '5' },
        parsed: { n: 5 },
      },
    ])('$of', async ({ schema, value, parsed }) => {
      expect(await readInputSchema(schema).parse(value)).toEqual({ ok: true, value: parsed })
    })

    test("an author's message is used unchanged, and once", async () => {
      const schema = z.object({ title: z.string().min(3, 'Give at least three letters.') })
      expect(await issuesOf(schema, { title: 'a' })).toEqual([
        '/title: Give at least three letters.',
      ])
    })
  })

  describe('of a zod union, the branch that was meant is reported', () => {
    const id = z.object({ id: z.int('Give a number.'), next: z.union([base, z.null()]).optional() })
    test.each<{ at: unknown; issues: readonly string[] }>([
      { at: { id: 'x' }, issues: ['/at/id: Give a number.'] },
      {
        at: { id: 1, next: { a: 1 } },
        issues: ['/at/next/a: Invalid input: expected string, received number'],
      },
      {
        at: 5,
        issues: [
          '/at: Invalid input: expected object, received number, or Invalid input: expected null, received number',
        ],
      },
    ])('$at', async ({ at, issues }) => {
      expect(await issuesOf(z.object({ at: z.union([id, z.null()]) }), { at })).toEqual(issues)
    })

    test('unless its author says something', async () => {
      const schema = z.object({ at: z.union([base, z.null()], 'Give an a.') })
      expect(await issuesOf(schema, { at: { a: 1 } })).toEqual(['/at: Give an a.'])
    })
  })

  describe('what it would drop in silence is refused', () => {
    test.each<{ of: string; schema: SchemaSource; value: unknown; issues: readonly string[] }>([
      {
        of: 'beside a coercion',
        schema: z.object({ limit: count }),
        value: { limit: '5', limitt: 6 },
        issues: ['/limitt: "limitt" is unknown; did you mean "limit"? known here: "limit"'],
      },
      {
        of: 'at depth, together with another problem',
        schema: z.object({ rows: z.array(z.object({ name: z.string('Name it.') })) }),
        value: { rows: [{ nmae: 'x' }] },
        issues: [
          '/rows/0/nmae: "nmae" is unknown; did you mean "name"? known here: "name"',
          '/rows/0/name: Name it.',
        ],
      },
      {
        of: 'a name of another branch',
        schema: z.object({ shape }),
        value: { shape: { kind: 'circle', side: 2 } },
        issues: ['/shape/side: "side" is unknown; known here: "kind", "radius"'],
      },
      {
        of: 'a name of another branch, together with a coercion',
        schema: z.object({ shape }),
        value: { shape: { kind: 'circle', radius: '1', side: 2 } },
        issues: ['/shape/side: "side" is unknown; known here: "kind", "radius"'],
      },
      {
        of: 'where no branch of a union fits',
        schema: z.object({ shape }),
        value: { shape: { kind: 'triangle', colour: 'red' } },
        issues: [
          '/shape/colour: "colour" is unknown; known here: "kind", "radius"',
          "/shape/kind: Invalid discriminator value. Expected 'circle' | 'square'",
        ],
      },
      {
        of: 'in a recursive schema',
        schema: tree,
        value: { size: '1', children: [{ size: '2', sise: 3 }] },
        issues: [
          '/children/0/sise: "sise" is unknown; did you mean "size"? known here: "size", "children"',
        ],
      },
      {
        of: 'with a validator of the AI SDK that lets everything through',
        schema: aiSdk({ type: 'object', properties: { n: {} } }, (value) => ({
          success: true,
          value,
        })),
        value: { n: 1, m: 2 },
        issues: ['/m: "m" is unknown; known here: "n"'],
      },
      {
        of: 'a name that only a preprocessing step reads, since the model did not see it',
        schema: z.preprocess(
          (given) => ({ query: (given as { q: string }).q }),
          z.object({ query: z.string() }),
        ),
        value: { q: 'x' },
        issues: ['/q: "q" is unknown; known here: "query"'],
      },
    ])('$of', async ({ schema, value, issues }) => {
      expect(await issuesOf(schema, value)).toEqual(issues)
    })

    test('behind more coerced values than are looked at', async () => {
      const rows: object[] = Array.from({ length: 2_000 }, () => ({ at: { n: '1' } }))
      const schema = z.object({
        rows: z.array(z.object({ at: z.union([z.object({ n: count }), z.null()]) })),
      })
      expect(await readInputSchema(schema).parse({ rows })).toMatchObject({ ok: true })
      const more = [...rows, { at: { n: '1', m: 2 } }]
      expect(await issuesOf(schema, { rows: more })).toEqual([
        '/rows/2000/at/m: "m" is unknown; known here: "n"',
      ])
    })

    test('in more unions than are looked at', async () => {
      const schema = z.object({ rows: z.array(shape) })
      const rows = Array.from({ length: 600 }, () => ({ kind: 'circle', radius: 1, side: 2 }))
      const told = await issuesOf(schema, { rows })
      expect(told.slice(0, 20).filter((issue) => !issue.includes('"side" is unknown'))).toEqual([])
      expect(told).toHaveLength(21)
    })

    test('behind more branches that were not meant than are looked at', async () => {
      const rows: object[] = Array.from({ length: 600 }, () => ({ kind: 'circle', radius: '1' }))
      const schema = z.object({ rows: z.array(shape) })
      expect(await issuesOf(schema, { rows })).toEqual([])
      const more = [...rows, { kind: 'circle', side: 2 }, { kind: 'circle', size: 2 }]
      expect(await issuesOf(schema, { rows: more })).toEqual([
        '/rows/600/side: "side" is unknown; known here: "kind", "radius"',
        '/rows/601/size: "size" is unknown; known here: "kind", "radius"',
      ])
    })

    test('a wrong name is reported without the names of branches that were not meant', async () => {
      const value = { at: { a: '1', b: '2', c: 'x', d: 5, e: 1 } }
      const told = await issuesOf(z.object({ at: loosely }), value)
      expect(told.filter((issue) => issue.includes('is unknown'))).toEqual([
        '/at/e: "e" is unknown; known here: "a", "d"',
      ])
    })
  })

  describe('its faults are bounded', () => {
    test('a list of which every item is wrong', async () => {
      const rows = Array.from({ length: 60_000 }, String)
      const issues = await issuesOf(z.object({ rows: z.array(z.number()) }), { rows })
      expect(issues).toHaveLength(21)
      expect(issues.at(-1)).toBe(': has 59980 more problems')
    })

    test('an unknown argument is reported before them', async () => {
      const rows = Array.from({ length: 60_000 }, String)
      const [first] = await issuesOf(z.object({ rows: z.array(z.number()) }), { rows, row: 1 })
      expect(first).toContain('did you mean "rows"?')
    })

    test('a value that takes too much work is not parsed at all', async () => {
      const twice = { properties: { a: { $ref: '#/$defs/n' } } }
      let parsed = 0
      const schema = aiSdk(
        { type: 'object', ...twice, $defs: { n: { allOf: [twice, twice] } } },
        (value) => {
          parsed += 1
          return { success: true, value }
        },
      )
      const deep: unknown = JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`)
      expect((await issuesOf(schema, deep))[0]).toContain('too much work')
      expect(parsed).toBe(0)
    })

    test('many unknown arguments in a value hundreds of levels deep', async () => {
      let deep: object = { size: 1 }
      for (let level = 0; level < 200; level += 1) deep = { size: '1', sise: 2, children: [deep] }
      expect(await issuesOf(tree, deep)).toHaveLength(21)
    })
  })

  test('a parser that throws is not treated as a refusal', async () => {
    const broken = z.object({
      a: z.string().refine(() => {
        throw new Error('no connection')
      }),
    })
    await expect(readInputSchema(broken).parse({ a: '' })).rejects.toThrow('no connection')
  })
})

describe('without safe bounds', () => {
  const integer = { type: 'integer' }

  test.each([
    { of: 'an integer', schema: z.int(), told: integer },
    { of: 'one from 1', schema: z.int().min(1), told: { ...integer, minimum: 1 } },
    { of: 'one to 9', schema: z.int().max(9), told: { ...integer, maximum: 9 } },
    { of: 'one above 0', schema: z.int().positive(), told: { ...integer, exclusiveMinimum: 0 } },
    {
      of: 'a 32 bit one',
      schema: z.uint32(),
      told: { ...integer, minimum: 0, maximum: 4294967295 },
    },
    {
      of: 'a number that is no integer',
      schema: z.number().max(Number.MAX_SAFE_INTEGER),
      told: { type: 'number', maximum: Number.MAX_SAFE_INTEGER },
    },
    { of: 'a list of integers', schema: z.array(z.int()), told: { type: 'array', items: integer } },
    {
      of: 'an object with members of such names',
      schema: z.object({ maximum: z.int(), minimum: z.int() }),
      told: { type: 'object', properties: { maximum: integer, minimum: integer } },
    },
    {
      of: 'a default of that size',
      schema: z.int().default(Number.MAX_SAFE_INTEGER),
      told: { ...integer, default: Number.MAX_SAFE_INTEGER },
    },
  ])('$of has no bounds of safe integers', ({ schema, told }) => {
    const { jsonSchema } = readInputSchema(z.object({ value: schema }))
    expect(jsonSchema['properties']).toMatchObject({ value: told })
    const { value } = jsonSchema['properties'] as { value: object }
    expect(Object.keys(value).filter((key) => /imum$/iu.test(key))).toEqual(
      Object.keys(told).filter((key) => /imum$/iu.test(key)),
    )
    const size = String(Number.MAX_SAFE_INTEGER)
    expect(JSON.stringify(jsonSchema).includes(size)).toBe(JSON.stringify(told).includes(size))
  })

  test('a result has none, either', () => {
    expect(JSON.stringify(readOutputSchema(z.object({ count: z.int() })).jsonSchema)).not.toContain(
      String(Number.MAX_SAFE_INTEGER),
    )
  })

  test('values are still checked with them', async () => {
    const { parse } = readInputSchema(z.object({ count: z.int() }))
    expect(await parse({ count: Number.MAX_SAFE_INTEGER })).toMatchObject({ ok: true })
    expect(await parse({ count: Number.MAX_SAFE_INTEGER + 1 })).toMatchObject({ ok: false })
  })

  test('a schema written by hand is unchanged', () => {
    const value = { type: 'integer', maximum: Number.MAX_SAFE_INTEGER }
    const { jsonSchema } = readInputSchema({ type: 'object', properties: { value } })
    expect(jsonSchema['properties']).toEqual({ value })
  })
})

test('a pattern whose flags JSON Schema cannot have is left to zod', async () => {
  const { jsonSchema, parse } = readInputSchema(
    z.object({
      code: z.string().regex(/^abc$/i),
      name: z.string().regex(/^a/).regex(/z$/i),
      mail: z.email({ pattern: /^x@y$/i }),
      rows: z.record(z.string().regex(/^k/i), z.number()),
    }),
  )
  expect(jsonSchema['properties']).toEqual({
    code: { type: 'string' },
    name: { type: 'string', allOf: [{ pattern: '^a' }, {}] },
    mail: { type: 'string', format: 'email' },
    rows: {
      type: 'object',
      propertyNames: { type: 'string' },
      additionalProperties: { type: 'number' },
    },
  })
  const good = { code: 'ABC', name: 'aZ', mail: 'X@y', rows: { K1: 1 } }
  expect(await parse(good)).toMatchObject({ ok: true })
  expect(await readInputSchema(jsonSchema).parse(good)).toMatchObject({ ok: true })
  expect(await parse({ ...good, code: 'abd' })).toMatchObject({ ok: false })
})
