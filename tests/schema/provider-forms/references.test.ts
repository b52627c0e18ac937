import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../src/kernel/json-value.ts'
import { providerSchema } from '../../../src/schema/provider-forms/provider-schema.ts'

const $defs = {
  Id: { type: 'string', minLength: 3 },
  Order: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
  Page: { type: 'object', properties: { page: { type: 'integer' } } },
  Loop: { allOf: [{ $ref: '#/$defs/Loop' }], type: 'object' },
}
const member = (one: JsonSchema, provider: 'gemini' | 'openai-strict') => {
  const schema = { type: 'object', properties: { one }, required: ['one'], $defs }
  return (providerSchema(schema, provider).schema['properties'] as JsonSchema)['one']
}

describe('a reference inside allOf, as schema libraries write one with a description', () => {
  test.each(['gemini', 'openai-strict'] as const)('is put in by %s', (provider) => {
    const type = provider === 'gemini' ? 'STRING' : 'string'
    const one = { description: 'Which.', allOf: [{ $ref: '#/$defs/Id' }] }
    expect(member(one, provider)).toMatchObject({
      type,
      description: expect.stringContaining('Which.'),
    })
  })

  test.each(['gemini', 'openai-strict'] as const)(
    'is merged with others by %s, with the members of all',
    (provider) => {
      const one = { allOf: [{ $ref: '#/$defs/Order' }, { $ref: '#/$defs/Page' }] }
      const { properties } = member(one, provider) as { readonly properties: object }
      expect(Object.keys(properties)).toEqual(['order', 'page'])
    },
  )

  test.each(['openai', 'anthropic', 'gemini', 'openai-strict'] as const)(
    'at the top is put in by %s, with the members of all',
    (provider) => {
      const schema = { allOf: [{ $ref: '#/$defs/Order' }, { $ref: '#/$defs/Page' }], $defs }
      const { properties } = providerSchema(schema, provider).schema
      expect(Object.keys(properties as object)).toEqual(['order', 'page'])
    },
  )

  test.each(['gemini', 'openai-strict'] as const)(
    'that leads back to itself ends, and %s says so',
    (provider) => {
      const schema = { type: 'object', properties: { one: { allOf: [$defs.Loop] } }, $defs }
      const { losses } = providerSchema(schema, provider)
      expect(losses).toContainEqual(
        expect.objectContaining({ path: '/properties/one', keyword: '$ref', what: 'dropped' }),
      )
    },
  )
})
