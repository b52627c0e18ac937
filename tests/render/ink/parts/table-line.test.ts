import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Column, columnWidths } from '../../../../src/render/ink/parts/table-line.tsx'

describe('column widths', () => {
  const COLUMNS: readonly Column[] = [
    { width: 10, grows: 1, rank: 0 },
    { width: 6, rank: 0 },
    { width: 8, rank: 2 },
    { width: 5, rank: 1 },
  ]

  test.each([
    { width: 40, widths: [21, 6, 8, 5] },
    { width: 29, widths: [10, 6, 8, 5] },
    { width: 28, widths: [17, 6, 0, 5] },
    { width: 20, widths: [14, 6, 0, 0] },
    { width: 4, widths: [10, 6, 0, 0] },
  ])('in $width columns the least needed go first: $widths', ({ width, widths }) => {
    expect(columnWidths(COLUMNS, width)).toEqual(widths)
  })

  test('of equal ranks the last is left out first', () => {
    const columns = [4, 5, 6].map((width, index) => ({ width, rank: index === 0 ? 0 : 1 }))
    expect(columnWidths(columns, 10)).toEqual([4, 5, 0])
  })

  test('growing columns share all the room that is left', () => {
    fc.assert(
      fc.property(fc.integer({ min: 12, max: 300 }), (width) => {
        const columns = [
          { width: 5, grows: 1, rank: 0 },
          { width: 2, rank: 0 },
          { width: 5, grows: 3, rank: 0 },
        ]
        const widths = columnWidths(columns, width)
        expect(widths.reduce((sum, one) => sum + one, 0)).toBe(width)
        expect(widths[0]).toBe(5 + Math.floor((width - 12) / 4))
      }),
    )
  })
})
