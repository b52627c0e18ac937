import { createElement } from 'react'
import { expect, test } from 'vitest'
import { Table, type TableProps } from '../../../../src/render/ink/views/table.tsx'
import { drawn } from '../drawn.ts'

const PROPS: TableProps<string> = {
  columns: [
    { title: 'NAME', width: 12, grows: 1, rank: 0 },
    { title: 'SIZE', width: 8, rank: 1, align: 'right' },
    { title: 'WHY', width: 20, grows: 3, rank: 2 },
  ],
  groups: [
    { id: 'group a', title: 'skill 문서 📄', folded: false, rows: ['read', 'write'] },
    { id: 'group b', title: 'global', folded: true, rows: ['now'] },
    { id: 'group c', title: null, folded: false, rows: ['loose'] },
  ],
  selected: 'write',
  width: 70,
  height: 8,
  identify: (row) => row,
  cells: (row) => [{ text: row }, { text: `${row.length}` }, { text: `#3 ${row} was activated` }],
}

const frame = (props: Partial<TableProps<string>>) =>
  drawn(createElement(Table<string>, { ...PROPS, ...props }), props.width ?? 70)

test('rows under headings at several widths: the least important columns are left out first', () => {
  expect([70, 40, 20].map((width) => frame({ width })).join('\n\n')).toMatchInlineSnapshot(`
    "  NAME                  SIZE WHY
      ▾ skill 문서 📄 (2)
      read                     4 #3 read was activated
    ❯ write                    5 #3 write was activated
      ▸ global (1)
      loose                    5 #3 loose was activated



      NAME                             SIZE
      ▾ skill 문서 📄 (2)
      read                                4
    ❯ write                               5
      ▸ global (1)
      loose                               5



      NAME
      ▾ skill 문서 … (2)
      read
    ❯ write
      ▸ global (1)
      loose

    "
  `)
})

test('the cursor can be on a heading, folded or not, and ASCII says the same', () => {
  const theme = { ascii: true, colour: false }
  const frames = ['group a', 'group b'].map((selected) => frame({ theme, selected, width: 40 }))
  expect(frames.join('\n')).toMatchInlineSnapshot(`
    "  NAME                             SIZE
    > - skill 문서 📄 (2)
      read                                4
      write                               5
      + global (1)
      loose                               5


      NAME                             SIZE
      - skill 문서 📄 (2)
      read                                4
      write                               5
    > + global (1)
      loose                               5

    "
  `)
})

test('of 10,000 rows only those in view are read', () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => `row-${index}`)
  const read = new Set<string>()
  const cells = (row: string) => (read.add(row), PROPS.cells(row))
  const groups = [{ id: 'all', title: 'all', folded: false, rows }]
  expect(frame({ groups, cells, selected: 'row-5000' })).toMatchInlineSnapshot(`
    "  NAME                  SIZE WHY
    ▲ 4,997 more
      row-4996                 8 #3 row-4996 was activated
      row-4997                 8 #3 row-4997 was activated
      row-4998                 8 #3 row-4998 was activated
      row-4999                 8 #3 row-4999 was activated
    ❯ row-5000                 8 #3 row-5000 was activated
    ▼ 4,999 more"
  `)
  expect(read.size).toBe(5)
})

test('a table too low for titles uses all lines for rows', () => {
  expect(frame({ height: 3, selected: 'loose' })).toMatchInlineSnapshot(`
    "▲ 3 more
      ▸ global (1)
    ❯ loose                    5 #3 loose was activated"
  `)
})

test('an empty table says so', () => {
  expect(frame({ groups: [], empty: 'No tools.' })).toMatchInlineSnapshot(`"No tools."`)
})
