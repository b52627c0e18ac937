import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/kernel/canonical-json.ts'

test.each([
  [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
  [{ a: undefined, b: { d: {}, c: [] } }, '{"b":{"c":[],"d":{}}}'],
  [[undefined, 1], '[null,1]'],
  [{ '\u20AC': 1, '\r': 2, '😀': 3 }, '{"\\r":2,"€":1,"😀":3}'],
  [-0, '0'],
  ['a"\\\n', '"a\\"\\\\\\n"'],
])('%j is written as %s', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})

test('a member named __proto__ is an ordinary member', () => {
  expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}')
})

const cycle: { self?: unknown } = {}
cycle.self = cycle

test.each([
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['a bigint', 1n],
  ['NaN', { a: NaN }],
  ['infinity', [Infinity]],
  ['nothing', undefined],
  ['a cycle', cycle],
  ['a map', new Map([['a', 1]])],
  ['a date', { at: new Date(0) }],
  ['what is nested too deeply', JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))],
])('%s is refused', (_, value) => {
  expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ code: 'NOT_JSON' }))
})

test('the same value twice inside another is not a cycle', () => {
  const shared = { a: 1 }
  expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]')
})

test('the text reads back as the value, and the order of keys makes no difference', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = canonicalJson(value)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      const reversed = Object.fromEntries(Object.entries(value).reverse())
      expect(canonicalJson(reversed)).toBe(text)
    }),
  )
})
