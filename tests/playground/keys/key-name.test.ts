import { expect, test } from 'vitest'
import { keyName } from '../../../src/playground/keys/key-name.ts'

test.each([
  ['j', 'j'],
  ['+', '+'],
  ['G', 'G'],
  ['space', 'Space'],
  ['pagedown', 'PgDn'],
  ['ctrl+c', 'Ctrl-C'],
  ['shift+tab', 'Shift-Tab'],
])('%s is shown as %s', (stroke, name) => {
  expect(keyName(stroke)).toBe(name)
})
