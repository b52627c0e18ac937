import { expect, test } from 'vitest'
import { parseLifetime } from '../../../src/skills/definition/lifetime.ts'

test.each([
  ['session', 'session'],
  [' Once ', { uses: 1 }],
  ['1 use', { uses: 1 }],
  ['3 uses', { uses: 3 }],
  ['3 turns', { turns: 3 }],
  ['1 turn', { turns: 1 }],
  ['idle 5 turns', { idle: 5 }],
  ['IDLE 1 turn', { idle: 1 }],
  ['idle 5 uses', null],
  ['0 turns', null],
  ['idle 0 turns', null],
  ['-1 turns', null],
  ['1.5 turns', null],
  ['turns', null],
  ['3', null],
  ['', null],
  ['9999999 turns', null],
])('%j is read as %j', (text, lifetime) => {
  expect(parseLifetime(text)).toEqual(lifetime)
})
