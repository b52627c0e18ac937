import { createElement } from 'react'
import { expect, test } from 'vitest'
import { SkillTable, type SkillTableRow } from '../../../../src/render/ink/views/skill-table.tsx'
import { drawn } from '../drawn.ts'

const plain = { tools: 2, tokens: 310, lifetime: '', change: '' } as const
const ROWS: readonly SkillTableRow[] = [
  {
    ...plain,
    id: 'data-analysis',
    status: 'active',
    tools: 3,
    tokens: 12_345,
    lifetime: 'session',
  },
  { ...plain, id: 'pdf', status: 'pending' },
  { ...plain, id: '도구함 🧰', status: 'inactive', change: 'changed', tokens: null },
  { ...plain, id: 'old-reports', status: 'missing-requirement' },
  { ...plain, id: 'torn', status: 'broken', tools: 0 },
]

test('skills at several widths: the least important columns are left out first', () => {
  const frames = [100, 60, 36, 24].map((width) =>
    drawn(
      createElement(SkillTable, { rows: ROWS, selected: 'data-analysis', width, height: 8 }),
      width,
    ),
  )
  expect(frames.join('\n\n')).toMatchInlineSnapshot(`
    "     SKILL                             STATUS              TOOLS TOKENS LIFETIME    ON DISK
    ❯ ●  data-analysis                     active                  3 12,345 session
      ◐  pdf                               pending                 2    310
      ○! 도구함 🧰                         inactive                2                    changed
      ✗  old-reports                       missing-requirement     2    310
      ✗  torn                              broken                  0    310



         SKILL                 STATUS              TOOLS TOKENS
    ❯ ●  data-analysis         active                  3 12,345
      ◐  pdf                   pending                 2    310
      ○! 도구함 🧰             inactive                2
      ✗  old-reports           missing-requirement     2    310
      ✗  torn                  broken                  0    310



         SKILL            STATUS
    ❯ ●  data-analysis    active
      ◐  pdf              pending
      ○! 도구함 🧰        inactive
      ✗  old-reports      missing-requ…
      ✗  torn             broken



         SKILL          STA…
    ❯ ●  data-analysis  act…
      ◐  pdf            pen…
      ○! 도구함 🧰      ina…
      ✗  old-reports    mis…
      ✗  torn           bro…

    "
  `)
})

test('in ASCII every mark is another character, and the status is next to it', () => {
  const table = createElement(SkillTable, {
    rows: ROWS,
    selected: 'pdf',
    width: 60,
    height: 7,
    theme: { ascii: true, colour: false },
  })
  expect(drawn(table, 60)).toMatchInlineSnapshot(`
    "     SKILL                 STATUS              TOOLS TOKENS
      *  data-analysis         active                  3 12,345
    > ~  pdf                   pending                 2    310
      o! 도구함 🧰             inactive                2
      x  old-reports           missing-requirement     2    310
      x  torn                  broken                  0    310
    "
  `)
})

test('a table too low for titles uses all lines for skills', () => {
  const table = createElement(SkillTable, { rows: ROWS, selected: 'torn', width: 40, height: 3 })
  expect(drawn(table, 40)).toMatchInlineSnapshot(`
    "▲ 3 more
      ✗  old-reports        missing-requir…
    ❯ ✗  torn               broken"
  `)
})

test('the name of a row may differ from its id', () => {
  const rows = [{ ...plain, id: 'b/pdf', name: 'pdf', status: 'shadowed' as const }]
  const table = createElement(SkillTable, { rows, selected: 'b/pdf', width: 40, height: 3 })
  expect(drawn(table, 40)).toMatchInlineSnapshot(`
    "❯ ✗  pdf                shadowed    310

    "
  `)
})

test('an empty table says so', () => {
  const table = createElement(SkillTable, { rows: [], selected: null, width: 40, height: 8 })
  expect(drawn(table, 40)).toMatchInlineSnapshot(`"No skills."`)
})

test('tokens missing in rows are counted for rows in view only', () => {
  const rows = Array.from({ length: 50 }, (_, index) => ({
    ...plain,
    id: `skill-${index}`,
    status: 'inactive' as const,
    tokens: null,
  }))
  const asked: string[] = []
  const tokensOf = ({ id }: SkillTableRow) => asked.push(id) * 1000
  const table = createElement(SkillTable, { rows, selected: null, width: 40, height: 4, tokensOf })
  expect(drawn(table, 40)).toMatchInlineSnapshot(`
    "  ○  skill-0            inactive  1,000
      ○  skill-1            inactive  2,000
      ○  skill-2            inactive  3,000
    ▼ 47 more"
  `)
  expect(asked).toEqual(['skill-0', 'skill-1', 'skill-2'])
})
