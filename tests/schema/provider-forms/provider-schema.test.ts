import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../src/kernel/json-value.ts'
import {
  type Provider,
  providerSchema,
  SCHEMA_PROVIDERS,
} from '../../../src/schema/provider-forms/provider-schema.ts'

const lost = (schema: JsonSchema, provider: Provider) =>
  providerSchema(schema, provider).losses.map(
    ({ path, keyword, what }) => `${path || '(top)'} ${keyword} ${what}`,
  )
const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
})
const inGemini = (one: JsonSchema) =>
  (providerSchema(object({ one }), 'gemini').schema['properties'] as JsonSchema)['one']
const inStrict = (one: JsonSchema) =>
  (
    providerSchema(object({ one }, { required: ['one'] }), 'openai-strict').schema[
      'properties'
    ] as JsonSchema
  )['one']

test('a plain schema is unchanged for all except Gemini and strict OpenAI', () => {
  const schema = object({ id: { type: 'string', minLength: 1 } })
  for (const provider of ['openai', 'anthropic', 'mcp'] as const) {
    expect(providerSchema(schema, provider)).toEqual({ schema, losses: [] })
    expect(providerSchema(schema, provider).schema).toBe(schema)
  }
})

describe('Gemini', () => {
  test.each<[string, JsonSchema, JsonSchema]>([
    ['types in capitals', { type: 'integer' }, { type: 'INTEGER' }],
    ['null as nullable', { type: ['string', 'null'] }, { type: 'STRING', nullable: true }],
    [
      'null among alternatives as nullable',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'STRING' }], nullable: true },
    ],
    [
      'several types as alternatives',
      { type: ['string', 'number'] },
      { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] },
    ],
    ['a constant as an enum', { const: 'on' }, { type: 'STRING', enum: ['on'] }],
    [
      'counts as text',
      { type: 'array', items: { type: 'string' }, maxItems: 3 },
      { type: 'ARRAY', items: { type: 'STRING' }, maxItems: '3' },
    ],
    [
      'a bound that a whole number excludes',
      { type: 'integer', exclusiveMinimum: 0 },
      { type: 'INTEGER', minimum: 1 },
    ],
  ])('tells %s', (_, given, told) => {
    expect(inGemini(given)).toEqual(told)
    expect(lost(object({ one: given }), 'gemini')).toEqual(['(top) additionalProperties dropped'])
  })

  test('describes what it does not support, and lists it', () => {
    expect(inGemini({ type: 'integer', description: 'Pages.', multipleOf: 2 })).toEqual({
      type: 'INTEGER',
      description: 'Pages. (multipleOf: 2)',
    })
    expect(lost(object({ one: { type: 'integer', multipleOf: 2 } }), 'gemini')).toContain(
      '/properties/one multipleOf described',
    )
  })

  test('replaces references, and stops at one that leads back to itself', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } }
    const { schema, losses } = providerSchema(
      object({ first: { $ref: '#/$defs/node' } }, { $defs: { node } }),
      'gemini',
    )
    expect(schema['properties']).toEqual({
      first: { type: 'OBJECT', properties: { next: { type: 'OBJECT' } } },
    })
    expect(losses.map(({ keyword }) => keyword)).toContain('$ref')
  })

  test('references that unfold exponentially end in bounded time and size', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `level${index}`,
        {
          type: 'object',
          properties: {
            a: { $ref: `#/$defs/level${index + 1}` },
            b: { $ref: `#/$defs/level${index + 1}` },
          },
        },
      ]),
    )
    const schema = object(
      { a: { $ref: '#/$defs/level0' } },
      { $defs: { ...$defs, level40: { type: 'string' } } },
    )
    for (const provider of ['gemini', 'openai-strict'] as const) {
      const written = JSON.stringify(providerSchema(schema, provider).schema)
      expect(written.length).toBeLessThan(2_000_000)
    }
  })
})

describe('strict OpenAI', () => {
  test('requires every member, and null means that one is absent', () => {
    const { schema, losses } = providerSchema(
      object({ a: { type: 'string' }, b: { type: 'integer' } }, { required: ['a'] }),
      'openai-strict',
    )
    expect(schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: ['integer', 'null'] } },
      required: ['a', 'b'],
      additionalProperties: false,
    })
    expect(losses).toEqual([])
  })

  test('closes every object and reports it', () => {
    expect(inStrict({ type: 'object', properties: {} })).toMatchObject({
      additionalProperties: false,
    })
    expect(lost(object({ one: { type: 'object', properties: {} } }), 'openai-strict')).toContain(
      '/properties/one additionalProperties narrowed',
    )
  })

  test('keeps references between definitions, recursive ones too', () => {
    const node = object({ next: { $ref: '#/definitions/node' } })
    const { schema } = providerSchema(
      object(
        { first: { $ref: '#/definitions/node' } },
        { definitions: { node }, required: ['first'] },
      ),
      'openai-strict',
    )
    expect(schema).toMatchObject({
      properties: { first: { $ref: '#/$defs/node' } },
      $defs: { node: { required: ['next'] } },
    })
  })

  test('a schema beyond the limits of strict decoding is reported as refused', () => {
    const many = { type: 'string', enum: Array.from({ length: 1_001 }, (_, index) => `v${index}`) }
    expect(lost(object({ many }), 'openai-strict')).toContain('(top) enum refused')
  })
})

describe('alternatives at the top', () => {
  const union: JsonSchema = {
    type: 'object',
    anyOf: [
      { properties: { id: { type: 'string' }, all: { type: 'boolean' } }, required: ['id'] },
      { properties: { id: { type: 'string' }, url: { type: 'string' } }, required: ['id', 'url'] },
    ],
    unevaluatedProperties: false,
  }

  test.each(['openai', 'anthropic'] as const)('%s gets the members of every branch', (provider) => {
    const { schema, losses } = providerSchema(union, provider)
    expect(schema).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, all: { type: 'boolean' }, url: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    })
    expect(losses).toMatchObject([{ path: '', keyword: 'anyOf', what: 'widened' }])
  })

  test('allOf is merged without a loss', () => {
    const all: JsonSchema = {
      type: 'object',
      allOf: [
        { properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'string' } } },
      ],
      unevaluatedProperties: false,
    }
    expect(providerSchema(all, 'anthropic')).toEqual({
      schema: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        required: ['a'],
        additionalProperties: false,
      },
      losses: [],
    })
  })

  test('MCP keeps them unchanged', () => {
    expect(providerSchema(union, 'mcp')).toEqual({ schema: union, losses: [] })
  })
})

describe('Gemini, in JSON Schema', () => {
  const inJson = (schema: JsonSchema) => providerSchema(schema, 'gemini-json')

  test('keywords are kept, with no loss', () => {
    const schema = object({
      tags: { type: 'array', prefixItems: [{ const: 1 }], items: { type: ['string', 'null'] } },
      any: { oneOf: [{ type: 'string', pattern: '^(?=a)' }, { enum: [1, null] }] },
    })
    expect(inJson(schema)).toEqual({ schema, losses: [] })
  })

  test('references stand alone and lead to "$defs"', () => {
    const node = object({ next: { $ref: '#/definitions/node', title: 'Next.' } })
    const { schema, losses } = inJson({
      ...object({
        definitions: { $ref: '#/definitions/node' },
        either: { $ref: '#/definitions/node', anyOf: [{ required: ['next'] }] },
      }),
      definitions: { node },
    })
    expect(losses).toEqual([])
    expect(schema).toEqual({
      ...object({
        definitions: { $ref: '#/$defs/node' },
        either: { anyOf: [{ required: ['next'] }], allOf: [{ $ref: '#/$defs/node' }] },
      }),
      $defs: { node: object({ next: { title: 'Next.', anyOf: [{ $ref: '#/$defs/node' }] } }) },
    })
  })

  test('definitions of both names are kept where a name is in both', () => {
    const definitions = { a: { type: 'string' } }
    const schema = {
      ...object({ a: { $ref: '#/definitions/a' }, b: { $ref: '#/$defs/a' } }),
      definitions,
      $defs: { a: { type: 'number' } },
    }
    expect(inJson(schema).schema).toEqual(schema)
  })

  test('the top is a plain object, as for other providers', () => {
    const union = { anyOf: [object({ a: { type: 'string' } }), object({ b: { type: 'string' } })] }
    expect(inJson(union).schema).toMatchObject({ type: 'object', properties: { a: {}, b: {} } })
  })
})

test('losses are sentences that say what happens', () => {
  const { losses } = providerSchema(
    object({
      n: { type: 'string', minLength: 2 },
      t: { oneOf: [{ type: 'string' }, { type: 'null' }] },
    }),
    'openai-strict',
  )
  expect(losses.map(({ path, message }) => `${path}: ${message}`)).toMatchInlineSnapshot(`
    [
      "/properties/n: "minLength" is told in the description only.",
      "/properties/t: "oneOf" is told more loosely than it is meant.",
    ]
  `)
})

test.each(['__proto__', 'constructor', 'toString'])(
  'a member named %s is one like any other',
  (name) => {
    const properties = JSON.parse(`{"${name}": {"type": "string"}}`) as JsonSchema
    for (const provider of SCHEMA_PROVIDERS) {
      const { schema } = providerSchema(object(properties, { required: [name] }), provider)
      expect(Object.keys(schema['properties'] as object)).toEqual([name])
    }
  },
)

const anySchema = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.record(
      {
        type: fc.constantFrom('string', 'integer', 'boolean', 'null', ['string', 'null']),
        enum: fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { minLength: 1 }),
        minLength: fc.nat(),
        description: fc.string(),
      },
      { requiredKeys: [] },
    ),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.string(), tie('schema')),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
    }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('schema') }),
  ),
})).schema

test('for any schema, strict and Gemini forms contain nothing that those providers refuse', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), anySchema), (properties) => {
      const schema = object(properties)
      for (const one of parts(providerSchema(schema, 'openai-strict').schema)) {
        const { type, properties: members = {}, required, additionalProperties } = one
        expect(Object.keys(one)).not.toEqual(expect.arrayContaining(['allOf']))
        if (![type].flat().includes('object')) continue
        expect(additionalProperties).toBe(false)
        expect(required).toEqual(Object.keys(members))
      }
      for (const one of parts(providerSchema(schema, 'gemini').schema)) {
        expect(one).not.toHaveProperty('$ref')
        expect(one).not.toHaveProperty('additionalProperties')
        expect('type' in one || 'anyOf' in one).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

interface Part {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Part>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: Part
  readonly anyOf?: readonly Part[]
}

function* parts(schema: Part): Generator<Part> {
  yield schema
  for (const child of Object.values(schema.properties ?? {})) yield* parts(child)
  if (schema.items !== undefined) yield* parts(schema.items)
  for (const child of schema.anyOf ?? []) yield* parts(child)
}
