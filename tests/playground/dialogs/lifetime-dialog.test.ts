import { expect, test } from 'vitest'
import { typedLifetime } from '../../../src/playground/dialogs/lifetime-dialog.tsx'

test.each([
  ['', 'session'],
  [' Session ', 'session'],
  ['1', { uses: 1 }],
  [' 12 ', { uses: 12 }],
  ['3 turns', { turns: 3 }],
  ['idle 2 turns', { idle: 2 }],
  ['once', { uses: 1 }],
  ['0', null],
  ['-1', null],
  ['1.5', null],
  ['1e3', null],
  ['many', null],
  ['9999999999999999999999', null],
])('%j is %j', (text, lifetime) => {
  expect(typedLifetime(text)).toEqual(lifetime)
})
