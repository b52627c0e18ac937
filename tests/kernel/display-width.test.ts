import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayWidth, padToWidth, truncateToWidth } from '../../src/kernel/display-width.ts'

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
