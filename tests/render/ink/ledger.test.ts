import { createElement } from 'react'
import { expect, test } from 'vitest'
import type { PromptLedger } from '../../../src/render/prompt/prompt-ledger.ts'
import { Ledger } from '../../../src/render/ink/ledger.tsx'
import { ledgerRows } from '../../../src/render/ink/ledger-rows.ts'
import { drawn } from './drawn.ts'

const LEDGER: PromptLedger = {
  tokenizer: 'o200k_base',
  tokens: 2000,
  sections: [],
  sources: { loadout: 900, agent: 0, skill: 1097, component: 0, global: 3 },
  skills: [
    { skill: 'pdf', tokens: 97 },
    { skill: '데이터 분석 📊', tokens: 1000 },
  ],
  tools: [
    { name: 'cheap', source: 'skill', owner: 'pdf', listed: 10, definition: 20 },
    { name: 'dear', source: 'skill', owner: 'pdf', listed: 40, definition: 130 },
  ],
  notes: [],
}

const props = {
  groups: ledgerRows(LEDGER),
  selected: 'skill/pdf',
  tokens: LEDGER.tokens,
  tokenizer: LEDGER.tokenizer,
}

test('what a prompt costs by source, skill and tool, the dearest first', () => {
  const frames = [60, 30].map((width) =>
    drawn(createElement(Ledger, { ...props, budget: 1500, width, height: 14 }), width),
  )
  expect(frames.join('\n\n')).toMatchInlineSnapshot(`
    "██████████ 2,000 of 1,500 tokens, OVER by 500 (o200k_base)
    By source
      Our own words                  900   45% ███████░░░░░░░░░
      The agent                        0    0% ░░░░░░░░░░░░░░░░
      Skills                       1,097   55% █████████░░░░░░░
      Components                       0    0% ░░░░░░░░░░░░░░░░
      Global tools                     3   <1% █░░░░░░░░░░░░░░░
    By skill
      데이터 분석 📊               1,000   50% ████████░░░░░░░░
    ❯ pdf                             97    5% █░░░░░░░░░░░░░░░
    By tool, its line and its definition
      dear                           170   85% ██████████████░░
      cheap                           30   15% ██░░░░░░░░░░░░░░


    2,000 of 1,500 tokens, OVER b…
    By source
      Our own wor…      900   45%
      The agent           0    0%
      Skills          1,097   55%
      Components          0    0%
      Global tools        3   <1%
    By skill
      데이터 분석…    1,000   50%
    ❯ pdf                97    5%
    By tool, its line and its def…
      dear              170   85%
      cheap              30   15%
    "
  `)
})

test('a kind of which there is nothing has no heading', () => {
  const groups = ledgerRows({ ...LEDGER, skills: [], tools: [] })
  const theme = { ascii: true, colour: false }
  const ledger = createElement(Ledger, { ...props, groups, theme, width: 50, height: 8 })
  expect(drawn(ledger, 50)).toMatchInlineSnapshot(`
    "2,000 tokens (o200k_base)
    By source
      Our own words        900   45% #######.........
      The agent              0    0% ................
      Skills             1,097   55% #########.......
      Components             0    0% ................
      Global tools           3   <1% #...............
    "
  `)
})
