import { expect, test } from 'vitest'
import { bestMatch } from '../../../src/playground/rows/row-filter.ts'

const names = ['open_table', 'Query_table', 'requery', 'unquoted']

test.each([
  ['q', 'Query_table'],
  ['QUO', 'unquoted'],
  ['query', 'Query_table'],
  ['equ', 'requery'],
  ['sql', 'open_table'],
  ['', 'open_table'],
])('%j means %s', (filter, name) => {
  expect(bestMatch(names, filter)).toBe(name)
})

test('among no names nothing is meant', () => {
  expect(bestMatch([], 'q')).toBe(null)
})
