import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asciiWords, plainWord, wordsOf } from '../../../src/search/words/words-of.ts'

describe('ascii words', () => {
  /** A part of an identifier, defined independently of the code. */
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

  test('identifiers are split into their parts, whatever was read before', () => {
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

  test('words are not mixed up when the cache is full or when they share a place', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'
    const all = Array.from({ length: 40_000 }, (_, at) => {
      const spelled = [at, at / 26, at / 676, at / 17_576].map(
        (one) => letters[Math.trunc(one) % 26],
      )
      return `q${spelled.join('')}`
    })
    for (let round = 0; round < 2; round += 1) {
      expect(asciiWords(all.join(' '))?.map(({ text }) => text)).toEqual(all)
    }
  })

  test('a text with other characters is not read', () => {
    expect(asciiWords('page für alle')).toBeUndefined()
    expect(asciiWords('page \ud800')).toBeUndefined()
    expect(asciiWords('')).toEqual([])
  })
})

describe('words of', () => {
  const terms = (text: string) => wordsOf(text).map(({ term }) => term)

  test.each([
    { text: 'createPage', is: ['creat', 'page'] },
    {
      text: 'create_page create-page Create page',
      is: ['creat', 'page', 'creat', 'page', 'creat', 'page'],
    },
    { text: 'HTTPServer', is: ['http', 'server'] },
    { text: 'sha256 utf8 base64Encode', is: ['sha256', 'utf8', 'base64', 'encod'] },
    { text: 'translations translated translating', is: ['translat', 'translat', 'translat'] },
    { text: "I'd like what the weather is", is: ['like', 'weather'] },
    { text: 'Café Zürich', is: ['cafe', 'zurich'] },
    { text: 'ＷＥＢ', is: ['web'] },
    { text: '天气预报', is: ['天气', '气预', '预报'] },
    { text: '我的天气', is: ['天气'] },
    { text: '查询API文档', is: ['查询', 'api', '文档'] },
    { text: '날씨를', is: ['날씨'] },
    { text: '환율정보는', is: ['환율', '율정', '정보', '환율정보'] },
    { text: 'والطقس الطَّقْسُ', is: ['طقس', 'طقس'] },
    { text: 'สวัสดี', is: ['สว', 'วั', 'ัส', 'สด', 'ดี'] },
    { text: '', is: [] },
    { text: '--- !!! \u{1f600}', is: [] },
  ])('the terms of $text are $is', ({ text, is }) => {
    expect(terms(text)).toEqual(is)
  })

  test('the text of a word is its spelling in lower case', () => {
    expect(wordsOf('Translating Pages')).toEqual([
      { text: 'translating', term: 'translat', isWeak: false },
      { text: 'pages', term: 'page', isWeak: false },
    ])
  })

  test('the text of a Korean pair is its complete word', () => {
    expect(wordsOf('환율정보는').map(({ text }) => text)).toEqual(Array(4).fill('환율정보는'))
  })

  test('a word gives the same terms next to any other word', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(terms(`${a} ${b}`)).toEqual([...terms(a), ...terms(b)])
      }),
    )
  })
})
