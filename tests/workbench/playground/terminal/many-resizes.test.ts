import { expect, test } from 'vitest'
import { dragCorner, SIZES, turnWheel } from './drag-and-wheel.ts'

test.each(SIZES)(
  'at %i x %i, 100 drags of a corner and 100 sequences of the wheel leave no broken row, and the focus where it was',
  async (columns, rows) => {
    expect(await dragCorner([columns, rows], 100)).toEqual([])
    expect(await turnWheel([columns, rows], 100)).toEqual([])
  },
)
