import { describe, expect, test } from 'vitest'
import { stemArabic, stemKorean } from '../../../src/search/words/stem-word.ts'

describe('stem arabic', () => {
  test.each([
    ['الطقس', 'طقس'],
    ['والطقس', 'طقس'],
    ['للطقس', 'طقس'],
    ['بطاقات', 'طاق'],
    ['مطاعم', 'مطاعم'],
    ['سيارات', 'سيار'],
    ['اله', 'اله'],
  ])('%s is looked up as %s', (word, stem) => {
    expect(stemArabic(word)).toBe(stem)
  })
})

describe('stem korean', () => {
  test.each([
    ['날씨는', '날씨'],
    ['서울에서는', '서울'],
    ['영화를', '영화'],
    ['비가', '비가'],
    ['환율', '환율'],
  ])('%s is looked up as %s', (word, stem) => {
    expect(stemKorean(word)).toBe(stem)
  })
})
