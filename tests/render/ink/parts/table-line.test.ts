import fc from 'fast-check'
import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import {
  type Column,
  columnWidths,
  Footnote,
  footnoteLines,
} from '../../../../src/render/ink/parts/table-line.tsx'
import { DEFAULT_THEME } from '../../../../src/render/ink/parts/theme.ts'
import { drawn } from '../drawn.ts'

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

describe('footnote', () => {
  const footnote = (text: string, lines: number) =>
    drawn(createElement(Footnote, { text, lines, width: 24, theme: DEFAULT_THEME }), 24).split('\n')

  test('the text is at the foot, on two lines where there are two, and is cut with an ellipsis', () => {
    expect(footnote('It is off.', 2)).toEqual(['', 'It is off.'])
    expect(footnote('The skill "data" has not been activated.', 2)).toEqual([
      'The skill "data" has not',
      'been activated.',
    ])
    expect(
      footnote('The skill "data" has not been activated since the session opened.', 2),
    ).toEqual(['The skill "data" has not', 'been activated since th…'])
    expect(footnote('The skill "data" has not been activated.', 1)).toEqual([
      'The skill "data" has no…',
    ])
  })

  test('a low table keeps its lines for rows', () => {
    expect([3, 5, 6, 11, 12, 40].map(footnoteLines)).toEqual([0, 0, 1, 1, 2, 2])
  })
})
