import { createElement } from 'react'
import { expect, test } from 'vitest'
import {
  ToolTable,
  type ToolGroup,
  type ToolTableRow,
} from '../../../../src/render/ink/views/tool-table.tsx'
import { drawn } from '../drawn.ts'

const tool = (id: string, status: ToolTableRow['status'], asks = false): ToolTableRow => ({
  id,
  status,
  asks,
  tokens: 88,
})

const GROUPS: readonly ToolGroup[] = [
  {
    id: 'skill:data',
    title: 'skill data-analysis',
    folded: false,
    rows: [tool('query_table', 'available'), tool('drop_table', 'available', true)],
  },
  {
    id: 'skill:pdf',
    title: 'skill 문서 📄',
    folded: false,
    rows: [tool('read_pdf', 'skill-inactive'), tool('sign_pdf', 'denied'), tool('x', 'unbound')],
  },
  { id: 'global:global', title: 'global', folded: true, rows: [tool('now', 'available')] },
]

const reasonOf = ({ id, status }: ToolTableRow) =>
  status === 'available' ? `#3 the skill that brings ${id} was activated` : `#0 ${id} is ${status}`

test('tools at several widths: without room for reasons, that of the selected one is below', () => {
  const frames = [120, 70, 40].map((width) =>
    drawn(
      createElement(ToolTable, {
        groups: GROUPS,
        selected: 'drop_table',
        width,
        height: 11,
        reasonOf,
      }),
      width,
    ),
  )
  expect(frames.join('\n\n')).toMatchInlineSnapshot(`
    "    TOOL                         STATUS           TOKENS REASON
      ▾ skill data-analysis (2)
      ● query_table                  available            88 #3 the skill that brings query_table was activated
    ❯ ● drop_table                   available, asks      88 #3 the skill that brings drop_table was activated
      ▾ skill 문서 📄 (3)
      ○ read_pdf                     skill-inactive       88 #0 read_pdf is skill-inactive
      ✗ sign_pdf                     denied               88 #0 sign_pdf is denied
      ✗ x                            unbound              88 #0 x is unbound
      ▸ global (1)



        TOOL            STATUS           TOKENS REASON
      ▾ skill data-analysis (2)
      ● query_table     available            88 #3 the skill that brings…
    ❯ ● drop_table      available, asks      88 #3 the skill that brings…
      ▾ skill 문서 📄 (3)
      ○ read_pdf        skill-inactive       88 #0 read_pdf is skill-ina…
      ✗ sign_pdf        denied               88 #0 sign_pdf is denied
      ✗ x               unbound              88 #0 x is unbound
      ▸ global (1)



        TOOL                STATUS
      ▾ skill data-analysis (2)
      ● query_table         available
    ❯ ● drop_table          available, asks
      ▾ skill 문서 📄 (3)
      ○ read_pdf            skill-inactive
      ✗ sign_pdf            denied
      ✗ x                   unbound
      ▸ global (1)

    "
  `)
})

test('the cursor can be on a heading, folded or not, and ASCII says the same', () => {
  const theme = { ascii: true, colour: false }
  const frames = ['global:global', 'skill:pdf'].map((selected) =>
    drawn(
      createElement(ToolTable, {
        groups: GROUPS,
        selected,
        width: 50,
        height: 9,
        theme,
        reasonOf,
      }),
      50,
    ),
  )
  expect(frames.join('\n')).toMatchInlineSnapshot(`
    "    TOOL                  STATUS           TOKENS
      - skill data-analysis (2)
      * query_table           available            88
      * drop_table            available, asks      88
      - skill 문서 📄 (3)
      o read_pdf              skill-inactive       88
      x sign_pdf              denied               88
      x x                     unbound              88
    > + global (1)
        TOOL                  STATUS           TOKENS
      - skill data-analysis (2)
      * query_table           available            88
      * drop_table            available, asks      88
    > - skill 문서 📄 (3)
      o read_pdf              skill-inactive       88
      x sign_pdf              denied               88
      x x                     unbound              88
      + global (1)"
  `)
})

test('of 10,000 tools only those in view are explained and counted', () => {
  const rows = Array.from({ length: 10_000 }, (_, index): ToolTableRow => ({
    ...tool(`tool-${index}`, 'available'),
    tokens: null,
  }))
  const explained = new Set<string>()
  const counted = new Set<string>()
  const table = createElement(ToolTable, {
    groups: [{ id: 'all', title: 'all', folded: false, rows }],
    selected: 'tool-5000',
    width: 100,
    height: 8,
    reasonOf: (row) => {
      explained.add(row.id)
      return `reason of ${row.id}`
    },
    tokensOf: (row) => {
      counted.add(row.id)
      return 7
    },
  })
  expect(drawn(table, 100)).toMatchInlineSnapshot(`
    "    TOOL                    STATUS           TOKENS REASON
    ▲ 4,997 more
      ● tool-4996               available             7 reason of tool-4996
      ● tool-4997               available             7 reason of tool-4997
      ● tool-4998               available             7 reason of tool-4998
      ● tool-4999               available             7 reason of tool-4999
    ❯ ● tool-5000               available             7 reason of tool-5000
    ▼ 4,999 more"
  `)
  expect([explained.size, counted.size]).toEqual([5, 5])
})

test('an empty table says so', () => {
  const table = createElement(ToolTable, {
    groups: [],
    selected: null,
    width: 40,
    height: 8,
    reasonOf,
  })
  expect(drawn(table, 40)).toMatchInlineSnapshot(`"No tools."`)
})
