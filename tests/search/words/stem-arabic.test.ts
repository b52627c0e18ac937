import { expect, test } from 'vitest'
import { stemArabic } from '../../../src/search/words/stem-word.ts'

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
