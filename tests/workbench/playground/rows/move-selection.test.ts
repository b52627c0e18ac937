import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  moveSelection,
  selectedRow,
  type Move,
} from '../../../../src/workbench/playground/rows/move-selection.ts'

const ROWS = ['a', 'b', 'c', 'd', 'e']

test.each<[from: string | null, move: Move, to: string]>([
  [null, 'down', 'b'],
  [null, 'up', 'a'],
  ['b', 'up', 'a'],
  ['a', 'up', 'a'],
  ['e', 'down', 'e'],
  ['a', 'page-down', 'c'],
  ['e', 'page-up', 'c'],
  ['d', 'page-down', 'e'],
  ['c', 'first', 'a'],
  ['c', 'last', 'e'],
  ['gone', 'down', 'b'],
])('from %s, %s leads to %s', (from, move, to) => {
  expect(moveSelection(ROWS, from, move, 2)).toBe(to)
})

test('there is nowhere to go in an empty list', () => {
  expect(moveSelection([], 'a', 'down', 2)).toBeNull()
  expect(selectedRow([], 'a')).toBeNull()
})

test('the cursor follows the id; without its row it is on the first', () => {
  expect(selectedRow(['x', ...ROWS], 'c')).toBe('c')
  expect(selectedRow(ROWS, 'gone')).toBe('a')
})

test('a page never skips a row, whatever its height', () => {
  fc.assert(
    fc.property(fc.integer({ min: -5, max: 10 }), (page) => {
      const to = moveSelection(ROWS, 'a', 'page-down', page)
      expect(ROWS.indexOf(to ?? '')).toBe(Math.min(4, Math.max(1, page)))
    }),
  )
})
