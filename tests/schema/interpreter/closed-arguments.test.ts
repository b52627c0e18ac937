import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readInputSchema } from '../../../src/schema/interpreter/read-schema.ts'
import type { SchemaSource } from '../../../src/schema/interpreter/schema-source.ts'

const node = z.object({
  name: z.string(),
  get children() {
    return z.array(node)
  },
})

const text = { type: 'string' }

describe('unknown arguments are refused', () => {
  test.each<{ of: string; schema: SchemaSource; value: object; path: string }>([
    { of: 'a zod object', schema: z.object({ a: z.string() }), value: { a: '', b: 1 }, path: '/b' },
    {
      of: 'an object in a zod object',
      schema: z.object({ a: z.object({ b: z.string() }) }),
      value: { a: { b: '', c: 1 } },
      path: '/a/c',
    },
    {
      of: 'an object in a zod array',
      schema: z.object({ rows: z.array(z.object({ b: z.string() })) }),
      value: { rows: [{ b: '' }, { b: '', c: 1 }] },
      path: '/rows/1/c',
    },
    {
      of: 'a zod intersection',
      schema: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
      value: { a: '', b: '', c: 1 },
      path: '/c',
    },
    {
      of: 'an intersection with a union',
      schema: z.intersection(
        z.object({ a: z.string() }),
        z.union([z.object({ b: z.string() }), z.object({ c: z.string() })]),
      ),
      value: { a: '', c: '', d: 1 },
      path: '/d',
    },
    {
      of: 'a branch of a discriminated union',
      schema: z.object({
        shape: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('circle'), radius: z.number() }),
          z.object({ kind: z.literal('square'), side: z.number() }),
        ]),
      }),
      value: { shape: { kind: 'circle', radius: 1, side: 2 } },
      path: '/shape/side',
    },
    {
      of: 'an intersection with a loose object, which zod does not mark',
      schema: z.intersection(z.object({ a: z.string() }), z.looseObject({})),
      value: { a: '', b: 1 },
      path: '/b',
    },
    {
      of: 'a recursive zod schema',
      schema: z.object({ root: node }),
      value: { root: { name: '', children: [{ name: '', children: [], size: 1 }] } },
      path: '/root/children/0/size',
    },
    {
      of: 'a plain schema',
      schema: { type: 'object', properties: { a: text } },
      value: { a: '', b: 1 },
      path: '/b',
    },
    {
      of: 'a plain schema with combinators',
      schema: {
        type: 'object',
        properties: { a: text },
        oneOf: [
          { properties: { b: text }, required: ['b'] },
          { properties: { c: text }, required: ['c'] },
        ],
      },
      value: { a: '', b: '', d: 1 },
      path: '/d',
    },
    {
      of: 'a plain schema behind a reference',
      schema: { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { a: text } } } },
      value: { a: '', b: 1 },
      path: '/b',
    },
    {
      of: 'a plain union',
      schema: { anyOf: [{ properties: { a: text } }, { properties: { b: text } }] },
      value: { a: '', z: 1 },
      path: '/z',
    },
  ])('in $of', async ({ schema, value, path }) => {
    const result = await readInputSchema(schema).parse(value)
    expect(result).toMatchObject({ ok: false, issues: [{ path }] })
  })
})

describe('what the author left open stays open', () => {
  test.each<{ of: string; schema: SchemaSource; value: object }>([
    { of: 'looseObject', schema: z.looseObject({ a: z.string() }), value: { a: '', b: 1 } },
    { of: 'catchall', schema: z.object({}).catchall(z.number()), value: { b: 1 } },
    {
      of: 'a record',
      schema: z.object({ a: z.record(z.string(), z.number()) }),
      value: { a: { x: 1 } },
    },
    {
      of: 'an intersection with a recursive object, which closes as a whole',
      schema: z.intersection(node, z.object({ size: z.number() })),
      value: { name: '', size: 1, children: [{ name: '', children: [] }] },
    },
    {
      of: 'additionalProperties: true',
      schema: { type: 'object', properties: { a: text }, additionalProperties: true },
      value: { a: '', b: 1 },
    },
    { of: 'an object without properties', schema: { type: 'object' }, value: { b: 1 } },
    {
      of: 'what is nested in a plain schema',
      schema: { type: 'object', properties: { a: { type: 'object', properties: { b: text } } } },
      value: { a: { c: 1 } },
    },
    {
      of: 'patternProperties, whose pattern is not run',
      schema: { type: 'object', properties: { a: text }, patternProperties: { '^x-': text } },
      value: { a: '', 'x-b': '' },
    },
  ])('$of', async ({ schema, value }) => {
    expect(await readInputSchema(schema).parse(value)).toEqual({ ok: true, value })
  })
})

test('the model sees that the schema is closed', () => {
  expect(readInputSchema(z.object({ a: z.object({ b: z.string() }) })).jsonSchema)
    .toMatchInlineSnapshot(`
    {
      "additionalProperties": false,
      "properties": {
        "a": {
          "additionalProperties": false,
          "properties": {
            "b": {
              "type": "string",
            },
          },
          "required": [
            "b",
          ],
          "type": "object",
        },
      },
      "required": [
        "a",
      ],
      "type": "object",
    }
  `)
})

test.each<{ of: string; schema: SchemaSource }>([
  { of: 'an object', schema: z.object({ a: z.object({ b: z.string() }) }) },
  { of: 'an intersection', schema: z.intersection(node, z.object({ size: z.number() })) },
  { of: 'a recursive object', schema: node },
  { of: 'a union', schema: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) },
  {
    of: 'a hand-written union',
    schema: { anyOf: [{ properties: { a: text } }, { type: 'object' }] },
  },
  {
    of: 'a hand-written reference',
    schema: { $ref: '#/$defs/a', $defs: { a: { properties: {} } } },
  },
])('reading the schema of $of again changes nothing', ({ schema }) => {
  const once = readInputSchema(schema).jsonSchema
  expect(readInputSchema(once).jsonSchema).toEqual(once)
})

test('a union of objects at the top only gets the type object', () => {
  const union = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])
  const { jsonSchema } = readInputSchema(union)
  expect(jsonSchema).toMatchObject({ type: 'object' })
  expect(jsonSchema).not.toHaveProperty('unevaluatedProperties')
})
