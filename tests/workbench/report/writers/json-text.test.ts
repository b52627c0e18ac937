import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findHidden } from '../../../../src/kernel/sanitise-text.ts'
import { jsonText } from '../../../../src/workbench/report/writers/json-text.ts'

test('a parser reads the same value, and the text has no hidden or control characters', () => {
  const value = fc.jsonValue({ noUnicodeString: false })
  const steering = fc.string({
    unit: fc.constantFrom(
      '\u001B',
      '\u009B',
      '\u202E',
      '\u{E0041}',
      '\u200B',
      '\uD800',
      'a',
      '"',
      '\\',
    ),
  })
  fc.assert(
    fc.property(fc.oneof(value, steering, fc.dictionary(steering, steering)), (one) => {
      const text = jsonText(one)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(one)))
      expect(findHidden(text)).toEqual([])
    }),
  )
})

test('characters above U+FFFF are escaped as a pair', () => {
  expect(jsonText(['\u{E0041}', '\u202E'], 0)).toBe('["\\udb40\\udc41","\\u202e"]\n')
})
