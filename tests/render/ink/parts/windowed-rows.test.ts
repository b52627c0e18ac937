import fc from 'fast-check'
import { Text } from 'ink'
import { render } from 'ink-testing-library'
import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import {
  ScrolledText,
  WindowedList,
  windowOf,
} from '../../../../src/render/ink/parts/windowed-rows.tsx'
import { drawn } from '../drawn.ts'

describe('window of', () => {
  const list = fc
    .record({ count: fc.nat(300), height: fc.nat(40), offset: fc.nat(320) })
    .chain(({ count, ...rest }) =>
      fc.record({ selected: fc.integer({ min: -1, max: count - 1 }) }).map(({ selected }) => ({
        count,
        selected,
        ...rest,
      })),
    )

  test.each([
    {
      title: 'a short list is drawn whole',
      given: [3, 0, 5],
      start: 0,
      end: 3,
      above: 0,
      below: 0,
    },
    { title: 'a list that just fits too', given: [5, 4, 5], start: 0, end: 5, above: 0, below: 0 },
    { title: 'at the top', given: [50, 0, 10], start: 0, end: 9, above: 0, below: 41 },
    { title: 'in the middle', given: [50, 25, 10], start: 18, end: 26, above: 18, below: 24 },
    { title: 'at the end', given: [50, 49, 10], start: 41, end: 50, above: 41, below: 0 },
    {
      title: 'scrolled, none selected',
      given: [50, -1, 10, 7],
      start: 8,
      end: 16,
      above: 8,
      below: 34,
    },
    { title: 'scrolled too far', given: [50, -1, 10, 99], start: 41, end: 50, above: 41, below: 0 },
    { title: 'too low for marks', given: [50, 30, 2], start: 29, end: 31, above: 0, below: 0 },
    { title: 'no height at all', given: [50, 30, 0], start: 31, end: 31, above: 0, below: 0 },
    { title: 'an empty list', given: [0, -1, 5], start: 0, end: 0, above: 0, below: 0 },
  ] as const)(
    '$title',
    ({ given: [count, selected, height, offset], title: _title, ...expected }) => {
      expect(windowOf(count, selected, height, offset)).toMatchObject(expected)
    },
  )

  test('the selection is in view wherever the list was, and not one line too many is drawn', () => {
    fc.assert(
      fc.property(list, ({ count, selected, height, offset }) => {
        const { start, end, above, below } = windowOf(count, selected, height, offset)
        const lines = end - start + (above > 0 ? 1 : 0) + (below > 0 ? 1 : 0)
        expect(lines).toBe(Math.min(count, height))
        if (height > 0 && selected >= 0) {
          expect(selected).toBeGreaterThanOrEqual(start)
          expect(selected).toBeLessThan(end)
        }
      }),
    )
  })

  test('drawn and hidden rows together are all the rows', () => {
    fc.assert(
      fc.property(list, ({ count, selected, height, offset }) => {
        const { start, end, above, below } = windowOf(count, selected, height, offset)
        fc.pre(height >= 3)
        expect(above + (end - start) + below).toBe(count)
        expect([above, count - below]).toEqual([start, end])
      }),
    )
  })

  test('a list that was drawn stays where it is while the selection is in view', () => {
    fc.assert(
      fc.property(list, fc.nat(299), ({ count, selected, height, offset }, other) => {
        const before = windowOf(count, selected, height, offset)
        fc.pre(other >= before.start && other < before.end)
        expect(windowOf(count, other, height, before.top)).toEqual(before)
      }),
    )
  })

  test('the next row is never more than a line away from where it was', () => {
    fc.assert(
      fc.property(list, ({ count, selected, height, offset }) => {
        fc.pre(height >= 3 && selected >= 0 && selected + 1 < count)
        const before = windowOf(count, selected, height, offset)
        const after = windowOf(count, selected + 1, height, before.top)
        expect(after.top - before.top).toBeLessThanOrEqual(1)
        expect(after.top).toBeGreaterThanOrEqual(before.top)
      }),
    )
  })

  test('every row can be reached by moving down', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 20 }),
        (count, height) => {
          const seen = new Set<number>()
          let top = 0
          for (let selected = 0; selected < count; selected += 1) {
            const window = windowOf(count, selected, height, top)
            top = window.top
            for (let row = window.start; row < window.end; row += 1) seen.add(row)
          }
          expect(seen.size).toBe(count)
        },
      ),
    )
  })
})

describe('windowed list', () => {
  const rows = Array.from({ length: 5000 }, (_, index) => ({ id: `row-${index}` }))

  function list(selected: string | null, mounted: string[] = []) {
    return createElement(WindowedList<{ readonly id: string }>, {
      rows,
      selected,
      width: 20,
      height: 6,
      renderRow: ({ id }, isSelected) => {
        mounted.push(id)
        return createElement(Text, {}, isSelected ? `> ${id}` : `  ${id}`)
      },
    })
  }

  test('of 5,000 rows only those in view are mounted', () => {
    const mounted: string[] = []
    expect(drawn(list('row-4000', mounted), 20)).toMatchInlineSnapshot(`
    "▲ 3,997 more
      row-3997
      row-3998
      row-3999
    > row-4000
    ▼ 999 more"
  `)
    expect(new Set(mounted).size).toBeLessThanOrEqual(6)
  })

  test('moving the cursor moves the list no further than needed', () => {
    const { lastFrame, rerender, unmount } = render(list('row-0'))
    const frames = ['row-4', 'row-5', 'row-3', 'row-2', 'row-0'].map((id) => {
      rerender(list(id))
      return `${lastFrame()}\n`
    })
    unmount()
    expect(frames.join('\n')).toMatchInlineSnapshot(`
    "  row-0
      row-1
      row-2
      row-3
    > row-4
    ▼ 4,995 more

    ▲ 2 more
      row-2
      row-3
      row-4
    > row-5
    ▼ 4,994 more

    ▲ 2 more
      row-2
    > row-3
      row-4
      row-5
    ▼ 4,994 more

    ▲ 2 more
    > row-2
      row-3
      row-4
      row-5
    ▼ 4,994 more

    > row-0
      row-1
      row-2
      row-3
      row-4
    ▼ 4,995 more
    "
  `)
  })

  test('a text is scrolled by lines, and past its end it stays at the end', () => {
    const lines = Array.from({ length: 12 }, (_, index) => (index === 4 ? '' : `line ${index}`))
    const frames = [0, 1, 3, 99].map((scroll) =>
      drawn(createElement(ScrolledText, { lines, scroll, width: 20, height: 5 }), 20),
    )
    expect(frames.join('\n\n')).toMatchInlineSnapshot(`
    "line 0
    line 1
    line 2
    line 3
    ▼ 8 more

    ▲ 2 more
    line 2
    line 3

    ▼ 7 more

    ▲ 4 more

    line 5
    line 6
    ▼ 5 more

    ▲ 8 more
    line 8
    line 9
    line 10
    line 11"
  `)
  })

  test('without a selection, or with one that is gone, the list begins at its first row', () => {
    expect(drawn(list(null), 20)).toMatch(/^ {2}row-0\n/)
    expect(drawn(list('gone'), 20)).toMatch(/^ {2}row-0\n/)
  })
})
