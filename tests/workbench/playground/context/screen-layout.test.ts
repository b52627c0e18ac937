import fc from 'fast-check'
import { expect, test } from 'vitest'
import { screenLayout } from '../../../../src/workbench/playground/context/screen-layout.ts'
import { focusPane } from '../../../../src/workbench/playground/context/screen-pane.ts'
import { createUiStore } from '../../../../src/workbench/playground/context/ui-state.ts'
import { PANES } from '../../../../src/workbench/playground/panes/panes.ts'

const START = createUiStore('skills').getState()

const LISTS = ['skills', 'tools', 'waiting']

test.each([
  { columns: 160, rows: 45, focus: 'skills', shown: [...LISTS, 'prompt', 'timeline'] },
  { columns: 160, rows: 45, focus: 'diff', shown: [...LISTS, 'diff', 'timeline'] },
  { columns: 120, rows: 36, focus: 'tools', shown: [...LISTS, 'why', 'timeline'] },
  { columns: 100, rows: 30, focus: 'timeline', shown: [...LISTS, 'prompt', 'timeline'] },
  { columns: 99, rows: 30, focus: 'tools', shown: LISTS },
  { columns: 80, rows: 24, focus: 'memory', shown: ['memory', 'timeline'] },
  { columns: 120, rows: 14, focus: 'tools', shown: ['tools', 'why'] },
  { columns: 80, rows: 14, focus: 'timeline', shown: ['timeline'] },
  { columns: 59, rows: 24, focus: 'prompt', shown: ['prompt'] },
  { columns: 24, rows: 8, focus: 'waiting', shown: ['waiting'] },
])('$columns x $rows with the focus on $focus shows $shown', ({ focus, shown, ...size }) => {
  const layout = screenLayout(size, PANES, focusPane(START, PANES, focus))
  expect(layout?.panes.map(({ pane }) => pane.id)).toEqual(shown)
})

test('lists stay where they are, whatever has the focus on a wide screen', () => {
  const size = { columns: 120, rows: 36 }
  const placed = PANES.map(({ id }) => {
    const areas = screenLayout(size, PANES, focusPane(START, PANES, id))?.panes ?? []
    return areas.flatMap(({ pane, left, top, width, height }) =>
      pane.place === 'tab' ? [] : [[pane.id, left, top, width, height]],
    )
  })
  expect(placed[0]).toHaveLength(4)
  for (const areas of placed) expect(areas).toEqual(placed[0])
})

test('every pane is named in a border of a wide screen', () => {
  const areas = screenLayout({ columns: 120, rows: 36 }, PANES, START)?.panes ?? []
  const named = new Set(areas.flatMap(({ named }) => named))
  expect(named.size).toBe(PANES.length)
})

test.each([
  [23, 40],
  [80, 7],
])('%i x %i is too small', (columns, rows) => {
  expect(screenLayout({ columns, rows }, PANES, START)).toBeNull()
})

test('panes cover every screen exactly, and the focused pane is visible', () => {
  const size = fc.record({
    columns: fc.integer({ min: 24, max: 400 }),
    rows: fc.integer({ min: 8, max: 200 }),
  })
  fc.assert(
    fc.property(size, fc.constantFrom(...PANES), ({ columns, rows }, focused) => {
      const layout = screenLayout({ columns, rows }, PANES, focusPane(START, PANES, focused.id))
      if (layout === null) throw new Error('too small')
      const { panes, body, reportRows } = layout
      expect(panes.map(({ pane }) => pane)).toContain(focused)
      expect(1 + body.height + reportRows + 1).toBe(rows)
      const covered = new Map<number, number>()
      for (const { left, top, width, height } of panes) {
        for (let row = top; row < top + height; row += 1) {
          for (let column = left; column < left + width; column += 1) {
            const cell = row * columns + column
            covered.set(cell, (covered.get(cell) ?? 0) + 1)
          }
        }
      }
      expect(covered.size).toBe(body.width * body.height)
      expect(new Set(covered.values())).toEqual(new Set([1]))
      for (const { height } of panes) expect(height).toBeGreaterThanOrEqual(4)
    }),
    { numRuns: 60 },
  )
})

test('one pane is shown when only one can be read', () => {
  const layout = screenLayout({ columns: 160, rows: 45 }, PANES, START, true)
  expect(layout?.panes).toMatchObject([
    { pane: { id: 'skills' }, left: 0, top: 1, width: 160, height: 41 },
  ])
})
