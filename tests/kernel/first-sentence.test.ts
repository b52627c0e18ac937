import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstSentence } from '../../src/kernel/first-sentence.ts'

test.each([
  ['Search the pages. Newest first.', 'Search the pages.'],
  ['Search the pages', 'Search the pages'],
  ['Really? Yes.', 'Really?'],
  ['Reads files, e.g. notes. Writes none.', 'Reads files, e.g. notes.'],
  ['Speaks HTTP 1.1 and 2. Not 3.', 'Speaks HTTP 1.1 and 2.'],
  ['Search the\n  pages.\nNewest first.', 'Search the pages.'],
  ['A heading\n\nThe text.', 'A heading'],
  ['ページを検索する。新しい順。', 'ページを検索する。'],
  ['', ''],
])('%j gives %j', (text, sentence) => {
  expect(firstSentence(text)).toBe(sentence)
})

test('a long sentence ends after a word', () => {
  expect(firstSentence('word '.repeat(100))).toBe(`${'word '.repeat(39)}word…`)
})

test('a summary is one line of at most 200 characters and no half character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
      const sentence = firstSentence(text)
      expect(sentence.length).toBeLessThanOrEqual(200)
      expect(sentence).not.toMatch(/[\r\n]/u)
      expect(sentence.isWellFormed()).toBe(true)
    }),
  )
})
