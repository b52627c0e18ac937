import fc from 'fast-check'
import { expect, test } from 'vitest'
import { screenLayout } from '../../../src/playground/context/screen-layout.ts'

test.each([
  { columns: 160, rows: 45, focused: 0, shown: [0, 1, 2] },
  { columns: 100, rows: 30, focused: 3, shown: [2, 3, 4] },
  { columns: 100, rows: 30, focused: 4, shown: [2, 3, 4] },
  { columns: 99, rows: 30, focused: 0, shown: [0, 1] },
  { columns: 80, rows: 24, focused: 2, shown: [1, 2] },
  { columns: 60, rows: 24, focused: 4, shown: [3, 4] },
  { columns: 59, rows: 24, focused: 2, shown: [2] },
  { columns: 24, rows: 8, focused: 4, shown: [4] },
])('$columns x $rows with pane $focused focused shows $shown', (row) => {
  const layout = screenLayout(row, 5, row.focused)
  expect(layout?.panes.map(({ index }) => index)).toEqual(row.shown)
})

test.each([
  [23, 40],
  [80, 7],
])('%i x %i is too small', (columns, rows) => {
  expect(screenLayout({ columns, rows }, 5, 0)).toBeNull()
})

test('panes and lines fill every screen exactly, and the focused pane is visible', () => {
  const size = {
    columns: fc.integer({ min: 24, max: 400 }),
    rows: fc.integer({ min: 8, max: 200 }),
  }
  fc.assert(
    fc.property(fc.record(size), fc.integer({ min: 1, max: 9 }), fc.nat(), (size, count, at) => {
      const focused = at % count
      const layout = screenLayout(size, count, focused)
      if (layout === null) throw new Error('too small')
      const { panes, body, reportRows } = layout
      expect(panes.map(({ index }) => index)).toContain(focused)
      expect(1 + body.height + reportRows + 1).toBe(size.rows)
      expect(panes.reduce((left, pane) => (pane.left === left ? left + pane.width : -1), 0)).toBe(
        size.columns,
      )
    }),
  )
})

test('no more panes are shown than `atOnce`', () => {
  const layout = screenLayout({ columns: 160, rows: 45 }, 5, 3, 1)
  expect(layout?.panes).toEqual([{ index: 3, left: 0, top: 1, width: 160, height: 41 }])
})
