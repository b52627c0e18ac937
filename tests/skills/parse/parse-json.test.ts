import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonKeys } from '../../../src/skills/parse/parse-json.ts'

const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), {
  noNullPrototype: true,
})

test('each key of the outermost object is at its place, and none is reported as repeated', () => {
  fc.assert(
    fc.property(object, fc.constantFrom('', '  ', '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const lines = text.split('\n')
      const { places, repeated } = jsonKeys(text)
      expect(repeated).toEqual([])
      expect(new Set(places.keys())).toEqual(new Set(Object.keys(value)))
      for (const [key, { line, column }] of places) {
        const quoted = JSON.stringify(key)
        expect(lines[line - 1]?.slice(column - 1, column - 1 + quoted.length)).toBe(quoted)
      }
    }),
  )
})

test('a repeated key is found in any object, and not across objects', () => {
  const text = '{"a": {"b": 1,\n "c": [{"b": 2}], "\\u0062": 3},\n  "b": 4, "a": 5}'
  expect(jsonKeys(text).repeated).toEqual([
    { key: 'b', place: { line: 2, column: 19 }, firstLine: 1 },
    { key: 'a', place: { line: 3, column: 11 }, firstLine: 1 },
  ])
})

test('neither depth nor length stops it', () => {
  const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)},"a":1}`
  expect(jsonKeys(deep).repeated).toHaveLength(1)
  const long = JSON.stringify({ text: '\n"{[:'.repeat(1_000_000), end: true })
  expect([...jsonKeys(long).places.keys()]).toEqual(['text', 'end'])
})
