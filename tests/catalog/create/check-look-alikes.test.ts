import { expect, test } from 'vitest'
import { checkLookAlikes } from '../../../src/catalog/create/check-look-alikes.ts'

test.each([
  ['admin', 'аdmin', '"а" (U+0430) where the other has "a" (U+0061)'],
  ['admin', 'Admin', '"A" (U+0041) where the other has "a" (U+0061)'],
  ['café', 'cafe\u0301', '"e" (U+0065) where the other has "é" (U+00E9)'],
  ['ﬁles', 'files', '"f" (U+0066) where the other has "ﬁ" (U+FB01)'],
  ['web-search', 'web_search', '"_" (U+005F) where the other has "-" (U+002D)'],
  ['tool', 'too1', '"1" (U+0031) where the other has "l" (U+006C)'],
  ['good', 'g0od', '"0" (U+0030) where the other has "o" (U+006F)'],
  ['ρrice', 'price', '"p" (U+0070) where the other has "ρ" (U+03C1)'],
  ['Straße', 'STRASSE', '"T" (U+0054) where the other has "t" (U+0074)'],
])('%s and %s are distinguished by number', (first, name, difference) => {
  expect(checkLookAlikes('skill', [first, name])).toEqual([
    {
      code: 'look-alike-name',
      severity: 'warning',
      message: `The skill "${name}" is easily confused with "${first}": one has ${difference}.`,
      hint: 'Rename one of the two skills.',
    },
  ])
})

test('a name that only has more characters is shown without a number', () => {
  const [finding] = checkLookAlikes('tool', ['search', 'search_'])
  expect(finding?.message).toBe('The tool "search_" is easily confused with "search".')
})

test('names that differ in a letter, or are in another script completely, are not reported', () => {
  const names = ['search', 'sereach', 'search-2', 'поиск', 'αναζήτηση', '検索', 'constructor']
  expect(checkLookAlikes('tool', names)).toEqual([])
})

test('each of many look-alikes is reported once, together with the first', () => {
  const names = ['a-b', 'a_b', 'a.b', 'A-B']
  const messages = checkLookAlikes('tool', names).map(({ message }) => message)
  expect(messages).toHaveLength(3)
  expect(messages.every((message) => message.includes('easily confused with "a-b"'))).toBe(true)
})
