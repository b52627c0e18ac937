import { test } from 'vitest'
import { dragCorner, SIZES, turnWheel } from './drag-and-wheel.ts'

test.each(SIZES)(
  'at %i x %i, 100 drags of a corner and 100 sequences of the wheel leave no broken row, and the focus where it was',
  async (columns, rows) => {
    await dragCorner([columns, rows], 100)
    await turnWheel([columns, rows], 100)
  },
)
