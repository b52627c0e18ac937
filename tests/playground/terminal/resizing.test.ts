import { test } from 'vitest'
import { dragCorner, expectNotchesToCount, SIZES, turnWheel } from './drag-and-wheel.ts'

test.each(SIZES)(
  'at %i x %i, 10 drags of a corner leave no broken row, and the focus where it was',
  async (columns, rows) => dragCorner([columns, rows], 10),
)

test.each(SIZES)(
  'at %i x %i, 10 sequences of the wheel leave no broken row, and the focus where it was',
  async (columns, rows) => turnWheel([columns, rows], 10),
)

test('notches of the wheel that arrive at once are not lost', async () => expectNotchesToCount())
