import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readInputSchema, readOutputSchema } from '../../../src/schema/interpreter/read-schema.ts'
import type { SchemaSource } from '../../../src/schema/interpreter/schema-source.ts'

/** The issues of a schema without its own parser. */
function plain(schema: z.ZodType): SchemaSource {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' })))
}

async function issuesOf(schema: SchemaSource, value: unknown): Promise<readonly string[]> {
  const result = await readInputSchema(schema).parse(value)
  return result.ok ? [] : result.issues.map(({ path, message }) => `${path}: ${message}`)
}

const search = plain(
  z.object({
    query: z.string().min(2),
    limit: z.int().max(50).optional(),
    order: z.enum(['newest', 'oldest', 'relevance']).optional(),
  }),
)

describe('an issue says what to repair', () => {
  test.each<{ value: unknown; issues: readonly string[] }>([
    { value: undefined, issues: [': must be object, not missing'] },
    { value: 'cats', issues: [': must be object, not string'] },
    { value: [], issues: [': must be object, not array'] },
    { value: {}, issues: ['/query: is required'] },
    { value: { query: null }, issues: ['/query: must be string, not null'] },
    { value: { query: 'a' }, issues: ['/query: must have at least 2 characters'] },
    {
      value: { querry: 'cats' },
      issues: [
        '/query: is required',
        '/querry: "querry" is unknown; did you mean "query"? known here: "query", "limit", "order"',
      ],
    },
    {
      value: { query: 'cats', colour: 'red' },
      issues: ['/colour: "colour" is unknown; known here: "query", "limit", "order"'],
    },
    { value: { query: 'cats', limit: 51 }, issues: ['/limit: must be at most 50'] },
    { value: { query: 'cats', limit: '5' }, issues: ['/limit: must be integer, not string'] },
    { value: { query: 'cats', limit: 1.5 }, issues: ['/limit: must be integer, not number'] },
    {
      value: { query: 'cats', order: 'newst' },
      issues: ['/order: must be one of "newest", "oldest", "relevance"; did you mean "newest"?'],
    },
  ])('$value', async ({ value, issues }) => {
    expect(await issuesOf(search, value)).toEqual(issues)
  })
})

const shape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('circle'), radius: z.number() }),
  z.object({ kind: z.literal('box'), width: z.number(), height: z.number() }),
])
const nullable = z.union([z.string(), z.null(), z.object({ id: z.int() })])
const list = z.object({
  get value() {
    return z.int()
  },
  get next() {
    return z.union([list, z.null()])
  },
})

describe('in a union, the branch that was meant is reported', () => {
  test.each<{ of: SchemaSource; value: unknown; issues: readonly string[] }>([
    {
      of: plain(z.object({ shape })),
      value: { shape: { kind: 'circle' } },
      issues: ['/shape/radius: is required'],
    },
    {
      of: plain(z.object({ shape })),
      value: { shape: { kind: 'box', width: 1, height: 'x' } },
      issues: ['/shape/height: must be number, not string'],
    },
    {
      of: plain(z.object({ shape })),
      value: { shape: { kind: 'cirle', radius: 1 } },
      issues: ['/shape/kind: must be one of "circle", "box"; did you mean "circle"?'],
    },
    {
      of: plain(z.object({ at: nullable })),
      value: { at: 5 },
      issues: ['/at: must be string or null or object, not number'],
    },
    {
      of: plain(z.object({ at: nullable })),
      value: { at: { id: 'x' } },
      issues: ['/at/id: must be integer, not string'],
    },
    {
      of: plain(list),
      value: { value: 1, next: { value: 2, next: { value: 'x', next: null } } },
      issues: ['/next/next/value: must be integer, not string'],
    },
    {
      of: {
        type: 'object',
        properties: { a: { oneOf: [{ type: 'number' }, { minimum: 3 }] } },
      },
      value: { a: 5 },
      issues: ['/a: matches several forms, but only one is allowed'],
    },
  ])('$value', async ({ of, value, issues }) => {
    expect(await issuesOf(of, value)).toEqual(issues)
  })
})

describe('each keyword has words of its own', () => {
  test.each<{ schema: object; value: unknown; message: string }>([
    { schema: { const: 'a' }, value: 'b', message: 'must be "a"' },
    { schema: { exclusiveMinimum: 0 }, value: 0, message: 'must be above 0' },
    { schema: { multipleOf: 5 }, value: 7, message: 'must be a multiple of 5' },
    { schema: { maxLength: 1 }, value: 'ab', message: 'must have at most 1 character' },
    { schema: { multipleOf: 0.01 }, value: 19.995, message: 'must be a multiple of 0.01' },
    {
      schema: { pattern: '^\\d{4}$' },
      value: '26',
      message: 'must match the pattern "^\\d{4}$"',
    },
    { schema: { minItems: 2 }, value: [], message: 'must have at least 2 items' },
    {
      schema: { prefixItems: [{}], items: false },
      value: [1, 2],
      message: 'must have at most 1 item',
    },
    { schema: { maxProperties: 1 }, value: { a: 1, b: 2 }, message: 'must have at most 1 member' },
    {
      schema: { contains: { const: 1 } },
      value: [2],
      message: 'must contain at least 1 matching item',
    },
    {
      schema: { contains: { const: 1 }, maxContains: 2 },
      value: [1, 1, 1],
      message: 'must contain at least 1 matching item and at most 2',
    },
    { schema: { not: { type: 'string' } }, value: '', message: 'has a form that is not allowed' },
    { schema: false, value: 1, message: 'is not allowed' } as never,
    {
      schema: { type: ['string', 'null'] },
      value: 1,
      message: 'must be string or null, not number',
    },
  ])('$message', async ({ schema, value, message }) => {
    const issues = await issuesOf({ type: 'object', properties: { a: schema } }, { a: value })
    expect(issues).toContainEqual(`/a: ${message}`)
  })

  test('names are held to propertyNames once, at the name', async () => {
    const schema = {
      type: 'object',
      properties: { a: { propertyNames: { maxLength: 2 } } },
    }
    expect(await issuesOf(schema, { a: { long: 1 } })).toEqual([
      '/a/long: has a name that is not allowed: it must have at most 2 characters',
    ])
  })

  test('an argument that must come with another one', async () => {
    const schema = {
      type: 'object',
      properties: { a: {}, b: {} },
      dependentRequired: { a: ['b'] },
    }
    expect(await issuesOf(schema, { a: 1 })).toEqual(['/b: is required together with "a"'])
  })
})

test('a price is a multiple of a cent, although the division is not exact', async () => {
  const schema = { type: 'object', properties: { price: { multipleOf: 0.01 } } }
  for (const price of [19.99, 0.07, 1_000_000.01, 0]) {
    expect(await issuesOf(schema, { price })).toEqual([])
  }
})

test('names in a path are escaped as JSON Pointer has it', async () => {
  const schema = { type: 'object', properties: { 'a/b~c': { type: 'string' } } }
  expect(await issuesOf(schema, { 'a/b~c': 1 })).toEqual(['/a~1b~0c: must be string, not number'])
})

test('at most twenty issues are reported, with the number of the others', async () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`x${n}`, n]))
  const issues = await issuesOf(z.object({}), many)
  expect(issues).toHaveLength(21)
  expect(issues.at(-1)).toBe(': has 10 more problems')
})

test('refinements and transforms of the schema run', async () => {
  const even = z.object({
    n: z
      .int()
      .refine(async (n) => n % 2 === 0, 'must be even')
      .transform((n) => n * 10),
    unit: z.string().default('cm'),
  })
  expect(await issuesOf(even, { n: 3 })).toEqual(['/n: must be even'])
  expect(await readInputSchema(even).parse({ n: 4 })).toEqual({
    ok: true,
    value: { n: 40, unit: 'cm' },
  })
})

describe('results', () => {
  test('of a zod schema are what it makes of them', async () => {
    const { parse } = readOutputSchema(z.object({ id: z.string() }))
    expect(await parse({ id: 'a', secret: 1 })).toEqual({ ok: true, value: { id: 'a' } })
    expect(await parse({})).toMatchObject({ ok: false, issues: [{ path: '/id' }] })
  })

  test('of a plain schema are held to it and otherwise left alone', async () => {
    const { parse } = readOutputSchema({ type: 'object', properties: { id: { type: 'string' } } })
    expect(await parse({ id: 'a', more: 1 })).toEqual({ ok: true, value: { id: 'a', more: 1 } })
    expect(await parse({ id: 1 })).toMatchObject({ ok: false, issues: [{ path: '/id' }] })
  })

  test('need not be objects', async () => {
    const { parse, jsonSchema } = readOutputSchema(z.array(z.int()))
    expect(jsonSchema).toMatchObject({ type: 'array' })
    expect(await parse([1, 2])).toEqual({ ok: true, value: [1, 2] })
  })
})

test('a message of another library is kept short', async () => {
  const long = z.object({ a: z.string().refine(() => false, 'x'.repeat(5_000)) })
  const [issue] = await issuesOf(long, { a: '' })
  expect(issue?.length).toBeLessThan(520)
})
