import { expect, test } from 'vitest'
import { squashName } from '../../../src/search/words/fold-text.ts'

test.each([
  'createPage',
  'create_page',
  'create-page',
  'Create Page',
  'cms.create/page',
  'ＣＭＳ createpage',
])('%s is one name with its other writings', (name) => {
  expect(squashName(name)).toMatch(/^(cms)?createpage$/)
})

test('names in other scripts keep their letters', () => {
  expect(squashName('天气_예보')).toBe('天气예보')
})
