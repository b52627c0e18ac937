import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/kernel/canonical-json.ts'
import { wellFormed, wellFormedJson } from '../../src/kernel/json-value.ts'

const text = fc.string({ unit: fc.constantFrom('a', '\\', '"', '\ud83d', '\ude00', '\u{1f600}') })

const whole = text.map((one) => one.toWellFormed())

test('well-formed data is returned itself, so that what is hashed of it stays', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
      expect(wellFormed(value)).toBe(value)
    }),
  )
})

test('every text and every name becomes well formed, and no member is lost', () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), (given) => {
      const made = wellFormed(given)
      expect(canonicalJson(made).isWellFormed()).toBe(true)
      expect(canonicalJson(made)).not.toMatch(/(?<!\\)(\\\\)*\\ud[89a-f]/u)
      expect(Object.values(made)).toEqual(
        Object.values(given).map((list) => list.map((one) => one.toWellFormed())),
      )
    }),
  )
})

test('objects of a class, and what is deeper than people write, stay as they are', () => {
  const bytes = new Uint8Array([1])
  const address = new URL('shop://1')
  expect(wellFormed({ note: '\ud83d', bytes, address })).toEqual({ note: '\ufffd', bytes, address })
  let deep: unknown = '\ud83d'
  for (let level = 0; level < 5_000; level += 1) deep = [deep]
  expect(wellFormed(deep)).toBe(deep)
})

test('JSON text without halves of pairs keeps its bytes, and other text is unchanged', () => {
  fc.assert(
    fc.property(whole, (one) => {
      const escaped = `{"a": ${JSON.stringify(one).replaceAll('\u{1f600}', '\\ud83d\\ude00')}}`
      expect(wellFormedJson(escaped)).toBe(escaped)
    }),
  )
  expect(wellFormedJson('{"a": "\\ud83d", "b": 1}')).toBe('{"a":"\ufffd","b":1}')
  expect(wellFormedJson('{"a": "\\ud83d')).toBe('{"a": "\\ud83d')
})
