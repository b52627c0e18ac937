import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { z as mini } from 'zod/mini'
import { WorkspaceError } from '../../../src/kernel/workspace-error.ts'
import { readInputSchema } from '../../../src/schema/interpreter/read-schema.ts'
import type { SchemaSource } from '../../../src/schema/interpreter/schema-source.ts'

function nested(levels: number): object {
  let schema: object = { type: 'string' }
  for (let level = 0; level < levels; level += 1) schema = { type: 'array', items: schema }
  return { type: 'object', properties: { a: schema } }
}

const cyclic: Record<string, unknown> = { type: 'object' }
cyclic['properties'] = { self: cyclic }

let bomb: object = { type: 'string' }
for (let level = 0; level < 28; level += 1) bomb = { anyOf: [bomb, bomb] }

describe('a schema that cannot be used is one clear error', () => {
  test.each<{ of: string; schema: unknown; code: string }>([
    {
      of: 'a remote reference',
      schema: { $ref: 'https://example.com/a.json' },
      code: 'SCHEMA_REMOTE_REF',
    },
    { of: 'a file reference', schema: { $ref: 'other.json#/a' }, code: 'SCHEMA_REMOTE_REF' },
    {
      of: 'a remote reference deep inside',
      schema: { type: 'object', properties: { a: { items: { $ref: 'http://x/y' } } } },
      code: 'SCHEMA_REMOTE_REF',
    },
    { of: 'deep nesting', schema: nested(70), code: 'SCHEMA_TOO_DEEP' },
    { of: 'nesting beyond any stack', schema: nested(50_000), code: 'SCHEMA_TOO_DEEP' },
    { of: 'a cycle of objects', schema: cyclic, code: 'SCHEMA_TOO_DEEP' },
    { of: 'a graph that unfolds to gigabytes', schema: bomb, code: 'SCHEMA_TOO_LARGE' },
    {
      of: '300 kB of text',
      schema: { type: 'object', description: 'x'.repeat(300_000) },
      code: 'SCHEMA_TOO_LARGE',
    },
    {
      of: 'draft-04',
      schema: { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' },
      code: 'SCHEMA_DIALECT',
    },
    {
      of: 'a dialect nobody knows',
      schema: { $schema: 'https://example.com/dialect', type: 'object' },
      code: 'SCHEMA_DIALECT',
    },
    { of: 'a reference to nothing', schema: { $ref: '#/$defs/none' }, code: 'SCHEMA_INVALID' },
    {
      of: 'a reference to itself',
      schema: { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/a' } } },
      code: 'SCHEMA_INVALID',
    },
    {
      of: 'references in a circle',
      schema: { allOf: [{ $ref: '#a' }], $defs: { a: { $anchor: 'a', not: { $ref: '#' } } } },
      code: 'SCHEMA_INVALID',
    },
    { of: 'a type that is none', schema: { type: 'objekt' }, code: 'SCHEMA_INVALID' },
    {
      of: 'properties as a list',
      schema: { type: 'object', properties: ['a'] },
      code: 'SCHEMA_INVALID',
    },
    {
      of: 'required as a flag',
      schema: { type: 'object', properties: { a: { type: 'string', required: true } } },
      code: 'SCHEMA_INVALID',
    },
    {
      of: 'a function in it',
      schema: { type: 'object', default: () => 1 },
      code: 'SCHEMA_INVALID',
    },
    {
      of: 'a second document in it',
      schema: { type: 'object', properties: { a: { $id: 'https://x/a' } } },
      code: 'SCHEMA_INVALID',
    },
    { of: 'text instead of an object', schema: z.string(), code: 'SCHEMA_INVALID' },
    { of: 'a date', schema: z.object({ at: z.date() }), code: 'SCHEMA_UNSUPPORTED' },
    { of: 'a promise', schema: Promise.resolve({}), code: 'SCHEMA_UNSUPPORTED' },
    {
      of: 'a Standard Schema without JSON Schema',
      schema: { '~standard': { version: 1, vendor: 'other', validate: () => ({ value: 1 }) } },
      code: 'SCHEMA_UNSUPPORTED',
    },
  ])('$of: $code', ({ schema, code }) => {
    const error = thrownBy(() => readInputSchema(schema as SchemaSource))
    expect(error).toMatchObject({ code })
    expect(error.hint).not.toBe('')
  })
})

test('the error about a remote reference says where it is and what to do', () => {
  const schema = { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } }
  const { message, hint } = thrownBy(() => readInputSchema(schema))
  expect(`${message}\n${hint}`).toMatchInlineSnapshot(`
    "The schema refers to another document, "https://example.com/a.json", at "/properties/a".
    Copy that schema under "$defs" and refer to it as "#/$defs/name". Nothing is fetched."
  `)
})

describe('schemas that others write are read', () => {
  test.each<{ of: string; schema: SchemaSource; good: object; bad: object }>([
    {
      of: 'draft-07 with tuples, definitions and dependencies',
      schema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id: 'https://example.com/tool.json',
        type: 'object',
        properties: {
          pair: {
            type: 'array',
            items: [{ type: 'string' }, { type: 'number' }],
            additionalItems: false,
          },
          other: { $ref: '#/definitions/other' },
        },
        definitions: { other: { type: 'string' } },
        dependencies: { other: ['pair'] },
      },
      good: { pair: ['a', 1], other: '' },
      bad: { pair: ['a', 1, 2] },
    },
    {
      of: 'the same $id as another',
      schema: {
        $id: 'https://example.com/tool.json',
        type: 'object',
        properties: { a: { type: 'null' } },
      },
      good: { a: null },
      bad: { a: 1 },
    },
    {
      of: 'keywords that are no part of JSON Schema',
      schema: {
        type: 'object',
        'x-order': ['a'],
        properties: {
          a: { type: 'string', id: 'a', nullable: 'yes', discriminator: 1, format: 'nope' },
        },
      },
      good: { a: '' },
      bad: { a: null },
    },
    {
      of: 'anchors',
      schema: {
        type: 'object',
        properties: { a: { $ref: '#name' } },
        $defs: { n: { $anchor: 'name', type: 'string' } },
      },
      good: { a: '' },
      bad: { a: 1 },
    },
    {
      of: 'arguments named like keywords',
      schema: {
        type: 'object',
        properties: {
          pattern: { type: 'string' },
          items: { type: 'array', items: { type: 'string' } },
          $ref: { type: 'string' },
          properties: { type: 'object', properties: { $schema: { type: 'string' } } },
        },
      },
      good: { pattern: '', items: [''], $ref: 'https://x', properties: { $schema: 'x' } },
      bad: { pattern: 1 },
    },
    { of: 'zod mini', schema: mini.object({ a: mini.string() }), good: { a: '' }, bad: { a: 1 } },
  ])('$of', async ({ schema, good, bad }) => {
    const { parse } = readInputSchema(schema)
    expect(await parse(good)).toEqual({ ok: true, value: good })
    expect(await parse(bad)).toMatchObject({ ok: false })
  })
})

describe('patterns of content are checked in linear time', () => {
  const slow = '^(a+)+$'
  const long = 'a'.repeat(50_000)

  test.each<{ of: string; schema: object }>([
    { of: 'a pattern', schema: { type: 'string', pattern: slow } },
    { of: 'not', schema: { not: { pattern: '^(a+)+!$' } } },
    { of: 'not, behind a reference', schema: { not: { not: { $ref: '#/$defs/slow' } } } },
    { of: 'if', schema: { if: { pattern: '!$' }, then: false } },
    { of: 'oneOf', schema: { oneOf: [{ pattern: '^a' }, { pattern: '!' }] } },
    { of: 'items', schema: { items: { pattern: slow }, type: 'array' } },
  ])('under $of', async ({ schema }) => {
    const whole = { properties: { a: schema }, $defs: { slow: { pattern: slow } } }
    const { parse, jsonSchema } = readInputSchema({ type: 'object', ...whole })
    const given = (text: string) => ({ a: 'items' in schema ? [text] : text })
    expect(await parse(given(long))).toEqual({ ok: true, value: given(long) })
    expect(await parse(given(`${long}!`))).toMatchObject({ ok: false })
    expect(jsonSchema).toMatchObject({ properties: { a: schema } })
  })

  test('names of arguments', async () => {
    const { parse } = readInputSchema({
      type: 'object',
      propertyNames: { pattern: slow },
      patternProperties: { [slow]: { type: 'number' } },
      additionalProperties: true,
    })
    expect(await parse({ [long]: 1 })).toMatchObject({ ok: true })
    expect(await parse({ [long]: '' })).toMatchObject({ ok: false })
    expect(await parse({ [`${long}!`]: 1 })).toMatchObject({ ok: false })
  })

  test('a name of a file cannot leave its folder', async () => {
    const { parse } = readInputSchema({
      type: 'object',
      properties: { name: { type: 'string', pattern: '^[a-z0-9_-]+$' } },
    })
    expect(await parse({ name: '../../etc/passwd' })).toEqual({
      ok: false,
      issues: [{ path: '/name', message: 'must match the pattern "^[a-z0-9_-]+$"' }],
    })
    expect(await parse({ name: 'notes-1' })).toMatchObject({ ok: true })
  })

  test.each(['(', '(a)\\1', '^(.{1,1000}){1,1000}$'])(
    'a pattern that cannot be checked refuses nothing: %s',
    async (pattern) => {
      const { parse } = readInputSchema({ type: 'object', properties: { a: { pattern } } })
      expect(await parse({ a: 'b' })).toMatchObject({ ok: true })
    },
  )

  test('a text that is too long for its pattern takes too much work', async () => {
    const { parse } = readInputSchema({
      type: 'object',
      properties: { a: { pattern: '^(?:.?){4000}$' } },
    })
    expect(await parse({ a: long })).toMatchObject({
      ok: false,
      issues: [{ message: expect.stringContaining('too much work') }],
    })
  })

  test('patterns of zod come from the host and are run', async () => {
    const { parse } = readInputSchema(z.object({ a: z.string().regex(/^(b)\1/u) }))
    expect(await parse({ a: 'ba' })).toMatchObject({ ok: false, issues: [{ path: '/a' }] })
    expect(await parse({ a: 'bb' })).toMatchObject({ ok: true })
  })
})

describe('a schema built to take forever is stopped', () => {
  test.each<{ of: string; schema: object; value: unknown }>([
    {
      of: 'references that double at each level',
      schema: {
        properties: { a: { $ref: '#/$defs/n0' } },
        $defs: Object.fromEntries(
          Array.from({ length: 40 }, (_, level) => [
            `n${level}`,
            level === 39
              ? { type: 'string' }
              : { allOf: [{ $ref: `#/$defs/n${level + 1}` }, { $ref: `#/$defs/n${level + 1}` }] },
          ]),
        ),
      },
      value: { a: '' },
    },
    {
      of: 'a value that doubles the work at each level',
      schema: {
        properties: { a: { $ref: '#/$defs/n' } },
        $defs: {
          n: {
            allOf: [
              { properties: { a: { $ref: '#/$defs/n' } } },
              { properties: { a: { $ref: '#/$defs/n' } } },
            ],
          },
        },
      },
      value: JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`),
    },
  ])('$of', async ({ schema, value }) => {
    const { parse } = readInputSchema({ type: 'object', ...schema })
    expect(await parse(value)).toMatchObject({
      ok: false,
      issues: [{ message: expect.stringContaining('too much work') }],
    })
  })

  test('references that double at each level are followed once when the tool is defined', () => {
    const levels = Array.from({ length: 60 }, (_, level) => {
      const next = { $ref: `#/$defs/n${level + 1}` }
      return [`n${level}`, { anyOf: [next, next] }]
    })
    const last = { type: 'object', additionalProperties: true }
    const $defs = Object.fromEntries([...levels, ['n60', last]])
    expect(readInputSchema({ $ref: '#/$defs/n0', $defs }).jsonSchema).not.toHaveProperty(
      'unevaluatedProperties',
    )
  })

  test('a list of which every item is wrong is answered with a bounded number of issues', async () => {
    const item = { anyOf: [{ type: 'number' }, { type: 'null' }] }
    const { parse } = readInputSchema({
      type: 'object',
      properties: { rows: { type: 'array', items: item } },
    })
    const result = await parse({ rows: Array.from({ length: 60_000 }, String) })
    expect(result.ok ? [] : result.issues).toHaveLength(21)
  })

  test('a long list is checked for repeated items in one pass', async () => {
    const items = Array.from({ length: 50_000 }, (_, n) => ({ n }))
    const schema = { type: 'object', properties: { items: { uniqueItems: true } } }
    const { parse } = readInputSchema(schema)
    expect(await parse({ items })).toMatchObject({ ok: true })
    expect(await parse({ items: [...items, { n: 7 }] })).toMatchObject({
      ok: false,
      issues: [{ path: '/items', message: 'must not contain the same item twice' }],
    })
  })
})

describe('arguments may have any name', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

  test.each(names)('%s', async (name) => {
    const properties = JSON.parse(`{ "${name}": { "type": "string" } }`)
    const { parse } = readInputSchema({ type: 'object', properties, required: [name] })
    const given = JSON.parse(`{ "${name}": "x" }`)
    expect(await parse(given)).toEqual({ ok: true, value: given })
    expect(await parse({})).toEqual({
      ok: false,
      issues: [{ path: `/${name}`, message: 'is required' }],
    })
    expect(await parse(JSON.parse(`{ "${name}": 1 }`))).toMatchObject({ ok: false })
  })

  test.each(names)('%s, optional in a zod schema', async (name) => {
    const { parse } = readInputSchema(z.object({ [name]: z.string().optional() }))
    expect(await parse({})).toMatchObject({ ok: true })
  })

  test.each(names)('%s is unknown where it is not named', async (name) => {
    const { parse } = readInputSchema({ type: 'object', properties: {} })
    expect(await parse(JSON.parse(`{ "${name}": 1 }`))).toMatchObject({ ok: false })
  })
})

test('a schema is read once: changing the object afterwards changes nothing', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  const { parse } = readInputSchema(schema)
  schema.properties.a.type = 'number'
  expect(await parse({ a: 'x' })).toMatchObject({ ok: true })
})

function thrownBy(action: () => unknown): WorkspaceError {
  try {
    action()
  } catch (error) {
    if (WorkspaceError.is(error)) return error
    throw error
  }
  throw new Error('Nothing was thrown.')
}
