import { expect, test } from 'vitest'
import { stemKorean } from '../../../src/search/words/stem-word.ts'

test.each([
  ['날씨는', '날씨'],
  ['서울에서는', '서울'],
  ['영화를', '영화'],
  ['비가', '비가'],
  ['환율', '환율'],
])('%s is looked up as %s', (word, stem) => {
  expect(stemKorean(word)).toBe(stem)
})
