import { expect, test } from 'vitest'
import { dragCorner, SIZES, turnAtOnce, turnWheel } from './drag-and-wheel.ts'

test.each(SIZES)(
  'at %i x %i, 10 drags of a corner leave no broken row, and the focus where it was',
  async (columns, rows) => {
    expect(await dragCorner([columns, rows], 10)).toEqual([])
  },
)

test.each(SIZES)(
  'at %i x %i, 10 sequences of the wheel leave no broken row, and the focus where it was',
  async (columns, rows) => {
    expect(await turnWheel([columns, rows], 10)).toEqual([])
  },
)

test('notches of the wheel that arrive at once are not lost', async () => {
  const output = await turnAtOnce()
  // Three rows for each notch; the first row of the window is the number of hidden ones.
  await expect.poll(() => output.screen()).toContain('▲ 16 more')
})
