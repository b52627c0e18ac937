import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import {
  displayWidth,
  graphemes,
  ONE_COLUMN_LETTERS,
  padToWidth,
  truncateToWidth,
} from '../../src/kernel/display-width.ts'

describe('display width', () => {
  test.each([
    ['tool', 4],
    ['도구', 4],
    ['e\u0301', 1],
    ['👨\u200D👩\u200D👧', 2],
    ['🇰🇷', 2],
    ['', 0],
  ])('%j takes %i columns', (line, columns) => {
    expect(displayWidth(line)).toBe(columns)
  })

  test.each([
    ['skill', 5, 'skill'],
    ['skills', 5, 'skil…'],
    ['도구함', 5, '도구…'],
    ['도구함', 4, '도…'],
    ['👨\u200D👩\u200D👧👨\u200D👩\u200D👧', 3, '👨\u200D👩\u200D👧…'],
    ['ab', 1, '…'],
    ['ab', 0, ''],
  ])('%j cut to %i columns is %j', (line, columns, cut) => {
    expect(truncateToWidth(line, columns)).toBe(cut)
  })

  test.each([
    ['도구', 7, 'left', '도구   '],
    ['도구', 7, 'centre', ' 도구  '],
    ['e\u0301', 3, 'centre', ' e\u0301 '],
    ['too wide', 3, 'left', 'too wide'],
  ] as const)('%j padded to %i columns, %s', (line, columns, align, padded) => {
    expect(padToWidth(line, columns, align)).toBe(padded)
  })

  test('a line cut and padded to a width has exactly that width', () => {
    const letter = fc.constantFrom('a', '도', 'e\u0301', '👩🏽\u200D💻', '🇰🇷', ' ', 'ﾊ')
    fc.assert(
      fc.property(fc.array(letter), fc.nat(30), (letters, columns) => {
        const cut = truncateToWidth(letters.join(''), columns)
        expect(displayWidth(padToWidth(cut, columns))).toBe(columns)
      }),
    )
  })
})

test('every letter that is taken for one column has one, and none joins with its neighbour', () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit))
  const letters = units.filter((unit) => ONE_COLUMN_LETTERS.test(unit))
  expect(letters.length).toBeGreaterThan(1_000)
  expect(letters.filter((letter) => stringWidth(letter) !== 1)).toEqual([])
  const twice = letters.flatMap((letter) => [letter, letter]).join('')
  expect([...new Intl.Segmenter().segment(twice)]).toHaveLength(letters.length * 2)
})

describe('graphemes', () => {
  test('letters are split as a reader counts them', () => {
    expect([...graphemes('ae\u0301👨\u200D👩\u200D👧🇰🇷도')]).toEqual([
      'a',
      'e\u0301',
      '👨\u200D👩\u200D👧',
      '🇰🇷',
      '도',
    ])
  })

  test('a long text is split into the same letters, wherever its pieces end', () => {
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

  test('splitting ends for one letter with thousands of accents', () => {
    const letter = `a${'\u0301'.repeat(5000)}`
    expect([...graphemes(letter)].join('')).toBe(letter)
  })
})
