import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsOf } from '../../../src/search/words/words-of.ts'

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

test('a word is told as it was written, in lower case', () => {
  expect(wordsOf('Translating Pages')).toEqual([
    { text: 'translating', term: 'translat', isWeak: false },
    { text: 'pages', term: 'page', isWeak: false },
  ])
})

test('a Korean pair is told as the word it is from', () => {
  expect(wordsOf('환율정보는').map(({ text }) => text)).toEqual(Array(4).fill('환율정보는'))
})

test('a word means the same whatever stands beside it', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(terms(`${a} ${b}`)).toEqual([...terms(a), ...terms(b)])
    }),
  )
})
