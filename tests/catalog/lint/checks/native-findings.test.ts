import { expect, test } from 'vitest'
import { checkHidden } from '../../../../src/catalog/lint/checks/native-findings.ts'

const told = (text: string) =>
  checkHidden('a.md', text).map(({ line, column, message }) => [
    line,
    column,
    /U\+\w+(?:, \d+ times)?/.exec(message)?.[0],
  ])

test.each([
  ['plain\ttext\r\n', []],
  ['👩‍👩‍👧 and ❤️', []],
  ['नमस्ते क्‍ष', []],
  ['\uFEFFstart', []],
  ['a\nb\u202Ec', [[2, 2, 'U+202E']]],
  ['a\r\nb\rc\u0007', [[3, 2, 'U+0007']]],
  [
    '\u200Ba\u200Bb\u2066',
    [
      [1, 1, 'U+200B, 2 times'],
      [1, 5, 'U+2066'],
    ],
  ],
  [
    'x\u{E0061}\u{E0062}',
    [
      [1, 2, 'U+E0061'],
      [1, 4, 'U+E0062'],
    ],
  ],
])('in %j is hidden: %j', (text, expected) => {
  expect(told(text)).toEqual(expected)
})

test('a text full of them has few findings', () => {
  const all = Array.from({ length: 200 }, (_, index) =>
    String.fromCodePoint(0xe0020 + (index % 90)),
  )
  expect(checkHidden('a.md', `x${all.join('').repeat(500)}`)).toHaveLength(5)
})
