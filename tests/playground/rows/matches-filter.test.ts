import { expect, test } from 'vitest'
import { matchesFilter } from '../../../src/playground/rows/row-filter.ts'

test.each([
  ['', ['Data'], true],
  ['dat', ['Data'], true],
  ['sql data', ['Data Analysis', 'SQL'], true],
  ['sql music', ['Data Analysis', 'SQL'], false],
  ['asql', ['data', 'sql'], false],
  ['  ', ['x'], true],
])('%j against %j: %j', (filter, texts, matches) => {
  expect(matchesFilter(filter, texts)).toBe(matches)
})
