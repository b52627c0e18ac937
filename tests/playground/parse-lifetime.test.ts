import { expect, test } from 'vitest'
import { parseLifetime } from '../../src/playground/parse-lifetime.ts'

test.each([
  ['', 'session'],
  [' Session ', 'session'],
  ['1', { uses: 1 }],
  [' 12 ', { uses: 12 }],
  ['0', null],
  ['-1', null],
  ['1.5', null],
  ['1e3', null],
  ['many', null],
  ['9999999999999999999999', null],
])('%j is %j', (text, lifetime) => {
  expect(parseLifetime(text)).toEqual(lifetime)
})
