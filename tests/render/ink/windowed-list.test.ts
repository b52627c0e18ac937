import { Text } from 'ink'
import { createElement } from 'react'
import { render } from 'ink-testing-library'
import { expect, test } from 'vitest'
import { ScrolledText, WindowedList } from '../../../src/render/ink/parts/windowed-rows.tsx'
import { drawn } from './drawn.ts'

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

test('moving the cursor moves the list no further than it must', () => {
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
