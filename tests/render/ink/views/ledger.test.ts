import { createElement } from 'react'
import { expect, test } from 'vitest'
import type { StepCost } from '../../../../src/engine/model/step-cost.ts'
import type { PromptLedger } from '../../../../src/render/prompt/ledger/prompt-ledger.ts'
import { Ledger } from '../../../../src/render/ink/views/ledger.tsx'
import { ledgerRows } from '../../../../src/render/ink/views/ledger-rows.ts'
import { drawn } from '../drawn.ts'

const LEDGER: PromptLedger = {
  tokenizer: 'o200k_base',
  tokens: 2000,
  sections: [],
  sources: { loadout: 900, agent: 0, skill: 1097, component: 0, server: 0, global: 3 },
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

const NEXT: StepCost = {
  provider: 'anthropic',
  order: ['tools', 'instructions', 'conversation'],
  tokens: { tools: 1000, instructions: 1600, conversation: 400 },
  messages: 0,
  deferred: 0,
  instructions: 'sha256:1',
  previous: 1000,
  kept: 900,
  changed: null,
  price: 11000,
  lost: 0,
}

const props = {
  groups: ledgerRows(LEDGER, NEXT),
  selected: 'skill/pdf',
  tokens: 3000,
  tokenizer: LEDGER.tokenizer,
}

test('the tokens of a prompt by source, skill and tool, the most expensive first', () => {
  const frames = [60, 30].map((width) =>
    drawn(createElement(Ledger, { ...props, budget: 1500, width, height: 14 }), width),
  )
  expect(frames.join('\n\n')).toMatchInlineSnapshot(`
    "██████████ request 3,000 of 1,500 tokens, OVER by 1,500 (o2…
    ▲ 2 more
      Instructions                 1,600   53% █████████░░░░░░░
      Conversation                   400   13% ██░░░░░░░░░░░░░░
    Its text by source, shares of 3,000
      Loadout                        900   30% █████░░░░░░░░░░░
      Agent                            0    0% ░░░░░░░░░░░░░░░░
      Skills                       1,097   37% ██████░░░░░░░░░░
      Components                       0    0% ░░░░░░░░░░░░░░░░
      Global tools                     3   <1% █░░░░░░░░░░░░░░░
    By skill (text and tools), shares of 3,000
      데이터 분석 📊               1,000   33% █████░░░░░░░░░░░
    ❯ pdf                            247    8% █░░░░░░░░░░░░░░░
    ▼ 3 more

    request 3,000 of 1,500 tokens…
    ▲ 2 more
      Instructions    1,600   53%
      Conversation      400   13%
    Its text by source, shares of…
      Loadout           900   30%
      Agent               0    0%
      Skills          1,097   37%
      Components          0    0%
      Global tools        3   <1%
    By skill (text and tools), sh…
      데이터 분석…    1,000   33%
    ❯ pdf               247    8%
    ▼ 3 more"
  `)
})

test('a group without rows has no heading', () => {
  const groups = ledgerRows({ ...LEDGER, skills: [], tools: [] }, NEXT)
  const theme = { ascii: true, colour: false }
  const ledger = createElement(Ledger, { ...props, groups, theme, width: 50, height: 8 })
  expect(drawn(ledger, 50)).toMatchInlineSnapshot(`
    "request 3,000 tokens (o200k_base)
    Next request, shares of 3,000
      Tools              1,000   33% #####...........
      Instructions       1,600   53% #########.......
      Conversation         400   13% ##..............
    Its text by source, shares of 3,000
      Loadout              900   30% #####...........
    v 4 more"
  `)
})

test('a request, the tokens it kept of the previous one, and the tokens that a deactivation frees', () => {
  const tool = { source: 'skill', owner: 'pdf', deferred: false, available: true } as const
  const groups = ledgerRows(LEDGER, NEXT, {
    lastStep: {
      step: 5,
      strategy: 'append',
      share: 0.5,
      cost: {
        provider: 'anthropic',
        order: ['tools', 'instructions', 'conversation'],
        tokens: { tools: 400, instructions: 1000, conversation: 3000 },
        messages: 2000,
        deferred: 120,
        instructions: 'sha256:0',
        previous: 4000,
        kept: 300,
        changed: { segment: 'tools', part: 'dear', at: 300 },
        price: 5000,
        lost: 4255.2,
      },
      tools: [
        { ...tool, name: 'cheap', tokens: 100 },
        { ...tool, name: 'gone', source: null, owner: null, available: false, tokens: 300 },
      ],
    },
    removals: [
      { skill: 'pdf', text: 97, tokensFreed: 150, prefixLost: 4100 },
      { skill: '데이터 분석 📊', text: 1000, tokensFreed: 0, prefixLost: 0 },
    ],
  })
  const frame = createElement(Ledger, { ...props, groups: groups.slice(4), width: 70, height: 14 })
  expect(drawn(frame, 70)).toMatchInlineSnapshot(`
    "request 3,000 tokens (o200k_base)
    Request of step 5 (append, anthropic), shares of 4,400
      Tools                                    400    9% █░░░░░░░░░░░░░░░
      Instructions                           1,000   23% ████░░░░░░░░░░░░
      Conversation                           3,000   68% ███████████░░░░░
      Deferred, not in the prompt              120    3% █░░░░░░░░░░░░░░░
      1 tool that cannot be called             300    7% █░░░░░░░░░░░░░░░
    Cached from the previous request, shares of 4,000
      Kept                                     300    8% █░░░░░░░░░░░░░░░
      Lost, from tools "dear" on             3,700   93% ███████████████░
      Extra cost, in input tokens            4,256  106% ████████████████
    Freed by deactivating, shares of 4,400
      pdf, 4,100 read again                    150    3% █░░░░░░░░░░░░░░░
      데이터 분석 📊                             0    0% ░░░░░░░░░░░░░░░░"
  `)
})

test('what a provider reported is next to what was predicted, with the reason for a difference', () => {
  const { tokens } = NEXT
  const usage = { input: 5000, cached: 1000, written: 3900, output: 80, reasoning: 30 }
  const groups = ledgerRows(LEDGER, NEXT, {
    lastStep: { step: 2, strategy: 'active', share: 1, cost: { ...NEXT, tokens }, tools: [] },
    removals: [],
    reported: {
      steps: 2,
      total: { ...usage, input: 9000 },
      predicted: { input: 8800, cached: 4100 },
      last: {
        step: 2,
        predicted: { input: 4800, cached: 4100 },
        reported: usage,
        deviation: { expected: 4200, cached: 1000, why: 'The provider did not say why.' },
      },
    },
  })
  const shown = groups.filter(({ title }) => title.startsWith('Reported'))
  expect(
    shown.map(({ title, rows }) => [
      title,
      ...rows.map(({ label, tokens: count }) => `${label}: ${count}`),
    ]),
  ).toEqual([
    [
      'Reported by the provider for step 2',
      'Prompt, predicted 4,800: 5000',
      'Cached, predicted 4,100: 1000',
      'Written to the cache: 3900',
      'Output, 30 of it reasoning: 80',
      'Differs. The provider did not say why.: 3200',
    ],
    [
      'Reported for 2 requests',
      'Prompt, predicted 8,800: 9000',
      'Cached, predicted 4,100: 1000',
      'Written to the cache: 3900',
      'Output, 30 of it reasoning: 80',
    ],
  ])
})
