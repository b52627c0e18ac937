import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asciiWords, plainWord } from '../../../src/search/words/words-of.ts'

/** What a part of an identifier is, in other words than the code's. */
const PART = /[A-Z][A-Z0-9]*(?![a-z])|[A-Z]?[a-z0-9]+/g

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'A',
        'b',
        '2',
        'HTTPServer',
        'create_page2',
        'sha256',
        'Pages',
        ' ',
        '.',
        '@',
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 20 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', '1'), maxLength: 40 }),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''))

test('the words are the parts of identifiers, whatever was read before', () => {
  fc.assert(
    fc.property(text, (one) => {
      const parts = one.match(PART) ?? []
      const expected = parts.flatMap((part) => plainWord(part.toLowerCase()) ?? [])
      expect(asciiWords(one)).toEqual(expected)
      expect(asciiWords(one.toUpperCase())?.every(({ text }) => !/[A-Z]/.test(text))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('more words than are kept, and words that share a place, stay apart', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const all = Array.from({ length: 40_000 }, (_, at) => {
    const spelled = [at, at / 26, at / 676, at / 17_576].map((one) => letters[Math.trunc(one) % 26])
    return `q${spelled.join('')}`
  })
  for (let round = 0; round < 2; round += 1) {
    expect(asciiWords(all.join(' '))?.map(({ text }) => text)).toEqual(all)
  }
})

test('another text is left to others', () => {
  expect(asciiWords('page für alle')).toBeUndefined()
  expect(asciiWords('page \ud800')).toBeUndefined()
  expect(asciiWords('')).toEqual([])
})
