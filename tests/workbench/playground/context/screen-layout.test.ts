import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  currentLayout,
  screenLayout,
} from '../../../../src/workbench/playground/context/screen-layout.ts'
import { focusPane } from '../../../../src/workbench/playground/context/screen-pane.ts'
import { createUiStore } from '../../../../src/workbench/playground/context/ui-state.ts'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { PANES } from '../../../../src/workbench/playground/panes/panes.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

const START = createUiStore('skills').getState()

const LISTS = ['skills', 'tools', 'waiting']

const TEN = () => 10

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
  const layout = screenLayout(size, PANES, focusPane(START, PANES, focus), TEN)
  expect(layout?.panes.map(({ pane }) => pane.id)).toEqual(shown)
})

test('tabs and the lane stay where they are, whichever tab has the focus on a wide screen', () => {
  const size = { columns: 120, rows: 36 }
  const placed = PANES.filter(({ place }) => place === 'tab').map(({ id }) => {
    const areas = screenLayout(size, PANES, focusPane(START, PANES, id), TEN)?.panes ?? []
    return areas.map(({ left, top, width, height }) => [left, top, width, height])
  })
  expect(placed[0]).toHaveLength(5)
  for (const areas of placed) expect(areas).toEqual(placed[0])
})

/** Returns the rows inside of each list on a screen. */
function listRows(rows: number, counts: readonly number[], list = 'skills'): readonly number[] {
  const rowsIn = ({ id }: { readonly id: string }) => counts[LISTS.indexOf(id)] ?? 0
  const state = focusPane(START, PANES, list)
  const areas = screenLayout({ columns: 160, rows }, PANES, state, rowsIn)?.panes ?? []
  return areas.filter(({ pane }) => pane.place === 'list').map(({ height }) => height - 2)
}

test('an empty list is only its title, and the others show their rows', () => {
  expect(listRows(45, [15, 20, 0])).toEqual([16, 20, TITLE])
  expect(listRows(45, [15, 20, 0], 'waiting')).toEqual([16, 18, 1])
})

/** The rows inside of a list that is only its title: it has no lower border. */
const TITLE = -1

test.each([
  { tab: 40, entries: 100, focus: 'skills', rows: [20, 8] },
  { tab: 40, entries: 100, focus: 'timeline', rows: [11, 17] },
  { tab: 8, entries: 100, focus: 'skills', rows: [8, 20] },
  { tab: 40, entries: 3, focus: 'skills', rows: [25, 3] },
  { tab: 8, entries: 3, focus: 'timeline', rows: [25, 3] },
])(
  'a tab of $tab rows and $entries entries share the right side, with the focus on $focus: $rows',
  ({ tab, entries, focus, rows }) => {
    const rowsIn = ({ place }: { readonly place: string }) => (place === 'tab' ? tab : entries)
    const state = focusPane(START, PANES, focus)
    const areas = screenLayout({ columns: 120, rows: 36 }, PANES, state, rowsIn)?.panes ?? []
    const right = areas.filter(({ pane }) => pane.place !== 'list')
    expect(right.map(({ height }) => height - 2)).toEqual(rows)
  },
)

test.each([
  { columns: 100, longest: 40, left: 38 },
  { columns: 120, longest: 10, left: 40 },
  { columns: 120, longest: 24, left: 52 },
  { columns: 200, longest: 90, left: 64 },
])('the lists are as wide as names of $longest need at $columns: $left', ({ columns, ...one }) => {
  const size = { columns, rows: 36 }
  const [list] = screenLayout(size, PANES, START, TEN, one.longest)?.panes ?? []
  expect(list?.width).toBe(one.left)
})

test('one key shows the pane with the focus on all of the screen, and Esc all panes again', async () => {
  const { context } = await aPlayground()
  const shown = () => currentLayout(context, PANES)?.panes.map(({ pane }) => pane.id)
  context.ui.setState({ size: { columns: 120, rows: 36 } })
  await handleStrokes(['2', '+'], context, TABLE)
  expect(shown()).toEqual(['tools'])
  await handleStrokes(['tab'], context, TABLE)
  expect(shown()).toEqual(['waiting'])
  await handleStrokes(['esc'], context, TABLE)
  expect(shown()).toEqual([...LISTS, 'why', 'timeline'])
  await handleStrokes(['+', '+'], context, TABLE)
  expect(shown()).toHaveLength(5)
})

test('the list with the focus grows', () => {
  const [first = 0, second = 0] = listRows(36, [100, 100, 0], 'skills')
  const [before = 0, after = 0] = listRows(36, [100, 100, 0], 'tools')
  expect(first).toBeGreaterThan(second)
  expect(after).toBeGreaterThan(before)
})

test('no list has empty rows while another one hides some', () => {
  const count = fc.nat({ max: 60 })
  fc.assert(
    fc.property(fc.integer({ min: 24, max: 90 }), fc.tuple(count, count, count), (rows, counts) => {
      const inside = listRows(rows, counts)
      // A longer list has the titles of its columns.
      const all = counts.map((one, at) =>
        one === 0 && at > 0 ? TITLE : Math.max(1, one < 5 ? one : one + 1),
      )
      const hides = inside.some((height, at) => height < (all[at] ?? 0))
      const spare = inside.some((height, at) => height > (all[at] ?? 0))
      expect(hides && spare).toBe(false)
    }),
  )
})

test('every pane is named in a border of a wide screen', () => {
  const areas = screenLayout({ columns: 120, rows: 36 }, PANES, START, TEN)?.panes ?? []
  const named = new Set(areas.flatMap(({ named }) => named))
  expect(named.size).toBe(PANES.length)
})

test.each([
  [23, 40],
  [80, 7],
])('%i x %i is too small', (columns, rows) => {
  expect(screenLayout({ columns, rows }, PANES, START, TEN)).toBeNull()
})

test('panes cover every screen exactly, and the focused pane is visible', () => {
  const size = fc.record({
    columns: fc.integer({ min: 24, max: 400 }),
    rows: fc.integer({ min: 8, max: 200 }),
  })
  fc.assert(
    fc.property(
      size,
      fc.constantFrom(...PANES),
      fc.nat(40),
      ({ columns, rows }, focused, count) => {
        const state = focusPane(START, PANES, focused.id)
        const layout = screenLayout({ columns, rows }, PANES, state, () => count)
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
        for (const { height } of panes) if (height !== 1) expect(height).toBeGreaterThanOrEqual(3)
      },
    ),
    { numRuns: 60 },
  )
})

test('one pane is shown when only one can be read', () => {
  const layout = screenLayout({ columns: 160, rows: 45 }, PANES, START, TEN, 0, true)
  expect(layout?.panes).toMatchObject([
    { pane: { id: 'skills' }, left: 0, top: 1, width: 160, height: 41 },
  ])
})
