import fc from 'fast-check'
import { expect, test } from 'vitest'
import { schemaText } from '../../../src/catalog/manifest/manifest-text.ts'

test.each([
  [
    { type: 'object', properties: { z: { type: 'string', minLength: 1 }, a: {} } },
    '{"properties":{"z":{"minLength":1,"type":"string"},"a":{}},"type":"object"}',
  ],
  [
    { $defs: { z: {}, a: { properties: { y: true, x: {} } } } },
    '{"$defs":{"a":{"properties":{"y":true,"x":{}}},"z":{}}}',
  ],
  [
    { anyOf: [{ properties: { z: {}, a: {} } }], items: { properties: { z: {}, a: {} } } },
    '{"anyOf":[{"properties":{"z":{},"a":{}}}],"items":{"properties":{"z":{},"a":{}}}}',
  ],
  [{ default: { z: 1, a: { properties: 2 } } }, '{"default":{"a":{"properties":2},"z":1}}'],
  [{ enum: [{ z: 1, a: 1 }], properties: 7 }, '{"enum":[{"a":1,"z":1}],"properties":7}'],
  [{ properties: { properties: { b: 1, a: 1 } } }, '{"properties":{"properties":{"a":1,"b":1}}}'],
  [
    JSON.parse('{"properties":{"__proto__":{"type":"string"},"a":{}}}'),
    '{"properties":{"__proto__":{"type":"string"},"a":{}}}',
  ],
  [true, 'true'],
])('%j is written as %s', (schema, text) => {
  expect(schemaText(schema)).toBe(text)
})

test('the text reads back as the schema, and as the same text', () => {
  const keys = fc.constantFrom('properties', 'items', 'anyOf', 'default', '$defs', 'type', 'x')
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
      fc.dictionary(keys, tie('schema')),
      fc.array(tie('schema'), { maxLength: 3 }),
    ),
  }))
  fc.assert(
    fc.property(schema, (one) => {
      const text = schemaText(one)
      expect(JSON.parse(text)).toEqual(one)
      expect(schemaText(JSON.parse(text))).toBe(text)
    }),
  )
})
