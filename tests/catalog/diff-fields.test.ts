import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonChanges } from '../../src/catalog/diff-fields.ts'
import { canonicalJson } from '../../src/kernel/canonical-json.ts'

test.each<[string, unknown, unknown, unknown]>([
  ['the order of keys is no change', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
  ['a member that came has no before', {}, { a: 1 }, [{ path: '/a', after: 1 }]],
  ['a member that went has no after', { a: 1 }, {}, [{ path: '/a', before: 1 }]],
  ['null is a value', { a: null }, { a: 1 }, [{ path: '/a', before: null, after: 1 }]],
  [
    'a list of plain values is one change',
    { a: [1, 2] },
    { a: [2] },
    [{ path: '/a', before: [1, 2], after: [2] }],
  ],
  [
    'lists of equal length are compared by place',
    [{ a: 1 }],
    [{ a: 2 }],
    [{ path: '/0/a', before: 1, after: 2 }],
  ],
  [
    'names are escaped as pointers are',
    { 'a/b': 1 },
    { 'a/b': 2 },
    [{ path: '/a~1b', before: 1, after: 2 }],
  ],
])('%s', (_, before, after, changes) => {
  expect(jsonChanges(before, after)).toEqual(changes)
})

test('a name that every object inherits is an ordinary name', () => {
  const before = JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}') as unknown
  const after = JSON.parse('{"__proto__": {"a": 2}}') as unknown
  expect(jsonChanges(before, after).map(({ path }) => path)).toEqual([
    '/__proto__/a',
    '/constructor',
  ])
})

test('there is a change exactly where two values are written differently', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      expect(jsonChanges(before, after).length === 0).toBe(
        canonicalJson(before) === canonicalJson(after),
      )
      expect(jsonChanges(before, structuredClone(before))).toEqual([])
    }),
  )
})

test('a very deep difference is one change', () => {
  const deep = (value: number) =>
    Array.from({ length: 100 }).reduce<unknown>((one) => ({ a: one }), value)
  const [change] = jsonChanges(deep(1), deep(2))
  expect(change?.path).toBe('/a'.repeat(64))
})
