import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graphemes } from '../../src/kernel/display-width.ts'

test('letters are split as a reader counts them', () => {
  expect([...graphemes('ae\u0301👨\u200D👩\u200D👧🇰🇷도')]).toEqual([
    'a',
    'e\u0301',
    '👨\u200D👩\u200D👧',
    '🇰🇷',
    '도',
  ])
})

test('a long text is split as a whole one would be, wherever its pieces end', () => {
  const letter = fc.constantFrom('a', 'e\u0301', '👨🏽\u200D👩🏽\u200D👧🏽', '🇰🇷', '葛\u{E0100}', '😀')
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 12 }), fc.nat(40), (letters, shift) => {
      const text = 'x'.repeat(shift) + letters.join('').repeat(200)
      const whole = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
      expect([...graphemes(text)]).toEqual(whole)
    }),
    { numRuns: 60 },
  )
})

test('one letter with a thousand accents comes to an end', () => {
  const letter = `a${'\u0301'.repeat(5000)}`
  expect([...graphemes(letter)].join('')).toBe(letter)
})
