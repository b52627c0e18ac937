import { describe, expect, test } from 'vitest'
import type { StepCost } from '../../../../src/engine/model/step-cost.ts'
import {
  footerSpans,
  type HeaderFacts,
  headerSpans,
} from '../../../../src/workbench/playground/screen/report-line.tsx'
import type { SkillDesk } from '../../../../src/workbench/playground/context/skill-desk.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

function headerText(facts: HeaderFacts): string {
  return headerSpans(facts)
    .map(({ text }) => text)
    .join('')
}

describe('footer spans', () => {
  test.each([
    ['palette', true],
    ['lifetime', true],
    ['call', true],
    ['help', false],
  ] as const)(
    'the last line says that Esc closes %s: %s, since letters type there',
    async (kind, is) => {
      const { context } = await aPlayground()
      const shown = {
        palette: { kind: 'palette', text: '', selected: 0 },
        lifetime: { kind: 'lifetime', skill: 'music', text: '' },
        call: { kind: 'call', tool: 'query_table', text: '{}', cursor: 1, problem: '' },
        help: { kind: 'help', text: null, scroll: 0 },
      } as const
      context.ui.setState({ dialog: shown[kind] })
      const text = footerSpans(context, TABLE, 400).map((span) => span.text)
      expect(text.join('').includes('Esc Close')).toBe(is)
    },
  )

  test.each([
    { focus: 'skills', stays: 'edit', leaves: ['on/off', 'replace', 'off for models'] },
    { focus: 'tools', stays: 'why', leaves: ['call', 'on/off', 'activate skill', 'accept'] },
    { focus: 'chat', stays: 'keys', leaves: ['chat'] },
  ])(
    'a screen that changes nothing offers no key of $focus for it: read-only, or at an earlier moment',
    async ({ focus, stays, leaves }) => {
      const offered = async (live: boolean, moment: number | null) => {
        const desk: SkillDesk = { scopeOf: () => 'code', turn: () => Promise.reject(new Error()) }
        const { context } = await aPlayground(undefined, { live, skillDesk: desk })
        context.ui.setState({ focus, moment })
        return footerSpans(context, TABLE, 400)
          .map(({ text }) => text)
          .join('')
      }
      const now = await offered(true, null)
      for (const leaving of leaves) expect(now).toContain(leaving)
      for (const fixed of [await offered(false, null), await offered(true, 0)]) {
        expect(fixed).toContain(stays)
        for (const leaving of [...leaves, 'chat']) expect(fixed).not.toContain(leaving)
      }
    },
  )
})

test('the keys of a pane come before those of every pane, which are never cut off', async () => {
  const { context } = await aPlayground()
  for (const width of [60, 80, 120, 200]) {
    const text = footerSpans(context, TABLE, width)
      .map((span) => span.text)
      .join('')
    expect(text).toMatch(/^Space on\/off {2}.*\? keys {2}q quit/)
    expect(text.trimEnd().length).toBeLessThanOrEqual(width)
  }
})

const COST: StepCost = {
  provider: 'anthropic',
  order: ['tools', 'instructions', 'conversation'],
  tokens: { tools: 500, instructions: 400, conversation: 300 },
  messages: 0,
  deferred: 0,
  instructions: 'sha256:1',
  previous: 2000,
  kept: 1900,
  changed: null,
  price: 1500,
  lost: 0,
}

describe('header text', () => {
  const FACTS: HeaderFacts = {
    session: 's',
    agent: null,
    moment: null,
    last: 4,
    isForeign: false,
    sign: '⇠',
    live: true,
    followed: true,
    answers: false,
    mode: 'text',
    next: { cost: COST, exposure: { strategy: 'active' } },
    isOtherPrice: false,
    tokenizer: 'words',
    tested: null,
    asked: 0,
    findings: 0,
    trusted: true,
  }

  test('a random id of a session is short, and a name is whole', () => {
    const id = '4a8bc373-ef8c-4817-a96b-bf2cbd6b791b'
    expect(headerText({ ...FACTS, session: id })).toContain('session 4a8bc373')
    expect(headerText({ ...FACTS, session: id })).not.toContain('4a8bc373-')
    expect(headerText({ ...FACTS, session: 'customer-4711-refund' })).toContain(
      'customer-4711-refund',
    )
  })

  test.each<{ facts: Partial<HeaderFacts>; says: string }>([
    {
      facts: {},
      says: 'now #4 | request 1,200 tokens (words) | kept 1,900 of 2,000 | anthropic, active | no agent | session s',
    },
    {
      facts: { moment: 2, agent: 'clerk' },
      says: 'MOMENT #2 of #4 | request 1,200 tokens (words) | kept 1,900 of 2,000 | anthropic, active | agent clerk | session s',
    },
    {
      facts: { isForeign: true },
      says: 'now #4 ⇠ by another process | request 1,200 tokens (words) | kept 1,900 of 2,000 | anthropic, active | no agent | session s',
    },
    {
      facts: { isForeign: true, sign: '', moment: 2 },
      says: 'MOMENT #2 of #4 by another process | request 1,200 tokens (words) | kept 1,900 of 2,000 | anthropic, active | no agent | session s',
    },
    {
      facts: { live: false },
      says: 'now #4 | read-only, followed | request 1,200 tokens (words) | kept 1,900 of 2,000 | anthropic, active | no agent | session s',
    },
    {
      facts: { live: false, followed: false },
      says: 'now #4 | read-only | request 1,200 tokens (words) | kept 1,900 of 2,000 | anthropic, active | no agent | session s',
    },
    {
      facts: { live: false, answers: true },
      says: 'now #4 | answers questions, followed | request 1,200 tokens (words) | kept 1,900 of 2,000 | anthropic, active | no agent | session s',
    },
    {
      facts: { mode: 'desk' },
      says: 'now #4 | mode desk | request 1,200 tokens (words) | kept 1,900 of 2,000 | anthropic, active | no agent | session s',
    },
    {
      facts: { isOtherPrice: true, asked: 1, findings: 2, trusted: false },
      says: 'now #4 | 1 question | request 1,200 tokens (words) | kept 1,900 of 2,000 | as anthropic, active | not trusted | 2 findings | no agent | session s',
    },
    {
      facts: { tested: { passed: 12, failed: 1 } },
      says: 'now #4 | 1 of 13 scenarios fail | request 1,200 tokens (words) | kept 1,900 of 2,000 | anthropic, active | no agent | session s',
    },
    {
      facts: { live: false, followed: false, observed: ['OBSERVED pi', 'request 6: 1,829 tokens'] },
      says: 'now #4 | read-only | OBSERVED pi | request 6: 1,829 tokens | session s',
    },
  ])('the first line of a screen: $says', ({ facts, says }) => {
    expect(headerText({ ...FACTS, ...facts })).toBe(says)
  })
})
