import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sentencePrefixes } from '../../../../src/workspace/offer/discovery/item-forms.ts'

const texts = (given: string) => sentencePrefixes(given).map(({ text }) => text)

test.each<[string, string, readonly string[]]>([
  ['one short sentence', 'Find a page.', ['Find a page.']],
  [
    'several sentences',
    'Find a page. Takes a slug. Gives its sections. Never its drafts.',
    [
      'Find a page. Takes a slug. Gives its sections. Never its drafts.',
      'Find a page. Takes a slug.',
      'Find a page.',
    ],
  ],
  [
    'an abbreviation in the middle',
    'Find a page, e.g. the home page. Takes a slug.',
    ['Find a page, e.g. the home page. Takes a slug.', 'Find a page, e.g. the home page.'],
  ],
  ['lines', 'Find a page.\n\nTakes a slug.', ['Find a page. Takes a slug.', 'Find a page.']],
  ['a script without spaces', '查找页面。需要标识。', ['查找页面。需要标识。', '查找页面。']],
  ['nothing', '', ['']],
])('%s shortens at the ends of sentences', (_, given, forms) => {
  expect(texts(given)).toEqual(forms)
})

test('a long sentence ends after a few words, and says so', () => {
  const long = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')
  expect(texts(long)).toEqual([
    long,
    'word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11 word12 word13…',
  ])
})

test('only the whole text is not cut, and each form is shorter than the one before', () => {
  fc.assert(
    fc.property(fc.lorem({ mode: 'sentences', maxCount: 12 }), (given) => {
      const forms = sentencePrefixes(given)
      expect(forms.map(({ isCut }) => isCut)).toEqual(forms.map((_, at) => at > 0))
      for (const [at, { text }] of forms.entries()) {
        const before = forms[at - 1]
        if (before) expect(text.length).toBeLessThan(before.text.length)
      }
    }),
  )
})

test('of a megabyte only the beginning is looked at', () => {
  const [whole] = sentencePrefixes('word '.repeat(200_000))
  expect(whole?.isCut).toBe(true)
  expect(whole?.text.length).toBeLessThan(5_000)
  expect(whole?.text.endsWith('…')).toBe(true)
})

test('what a reader would not see is shown', () => {
  expect(texts('Safe.\u202Egnp.exe')).toEqual(['Safe.<U+202E>gnp.exe'])
})
