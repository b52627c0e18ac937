import { createElement } from 'react'
import { expect, test } from 'vitest'
import {
  promptLines,
  type PromptViewSection,
} from '../../../../src/render/ink/views/prompt-lines.ts'
import { PromptView, type PromptViewProps } from '../../../../src/render/ink/views/prompt-view.tsx'
import { drawn } from '../drawn.ts'

const SECTIONS: readonly PromptViewSection[] = [
  {
    id: 'agent-prompt',
    title: 'Agent prompt',
    stability: 'static',
    placement: 'instructions',
    tokens: 420,
    text: 'You help people with their tables. Ask when a question can be read in two ways.\n',
    folded: false,
  },
  {
    id: 'skill-catalog',
    title: 'Skill catalog',
    stability: 'session',
    placement: 'instructions',
    tokens: 1180,
    text: '- `pdf`: Reads tables out of PDF files.',
    folded: true,
  },
  {
    id: 'skill-tools/data',
    title: 'SKILL TOOLS: 데이터 분석',
    stability: 'step',
    placement: 'conversation',
    tokens: 3,
    text: 'query_table: Ask a TABLE, or two tables.\n\n\tindented\n',
    folded: false,
  },
]

function view(props: Partial<PromptViewProps> & { readonly width: number }): string {
  return drawn(
    createElement(PromptView, {
      sections: SECTIONS,
      selected: 'skill-catalog',
      tokens: 2000,
      tokenizer: 'o200k_base',
      height: 12,
      ...props,
    }),
    props.width,
  )
}

test('the parts of the document are separate, each section with its price and share', () => {
  expect(view({ width: 76, budget: 8000 })).toMatchInlineSnapshot(`
    "███░░░░░░░ request 2,000 of 8,000 tokens, 25% (o200k_base)
      INSTRUCTIONS  1,600 tokens
      ▾ Agent prompt                             static      420  21% ██░░░░░░░░
      You help people with their tables. Ask when a question can be read in two
      ways.
    ❯ ▸ Skill catalog                            session   1,180  59% ██████░░░░
      CONVERSATION  3 tokens
      ▾ SKILL TOOLS: 데이터 분석                 step          3  <1% █░░░░░░░░░
      query_table: Ask a TABLE, or two tables.

          indented
    "
  `)
})

test('in few columns bars and stability are left out, the tokens stay', () => {
  expect(view({ width: 36, budget: 1000 })).toMatchInlineSnapshot(`
    "request 2,000 of 1,000 tokens, OVER…
      INSTRUCTIONS  1,600 tokens
      ▾ Agent prompt            420  21%
      You help people with their tables.
      Ask when a question can be read in
      two ways.
    ❯ ▸ Skill catalog         1,180  59%
      CONVERSATION  3 tokens
      ▾ SKILL TOOLS: 데이…        3  <1%
      query_table: Ask a TABLE, or two
      tables.
    ▼ 2 more"
  `)
})

test('hits are marked, and counted at their section, folded or not', () => {
  expect(view({ width: 60, search: 'table' })).toMatchInlineSnapshot(`
    "request 2,000 tokens (o200k_base)
      INSTRUCTIONS  1,600 tokens
      ▾ Agent prompt       1 hit static      420  21% ██░░░░░░░░
     •You help people with their tables. Ask when a question can
      be read in two ways.
    ❯ ▸ Skill catalog      1 hit session   1,180  59% ██████░░░░
      CONVERSATION  3 tokens
      ▾ SKILL TOOLS: 데이… 1 hit step          3  <1% █░░░░░░░░░
     •query_table: Ask a TABLE, or two tables.

          indented
    "
  `)
})

test('in ASCII it says the same', () => {
  const theme = { ascii: true, colour: false }
  expect(view({ width: 60, budget: 8000, theme, height: 6 })).toMatchInlineSnapshot(`
    "###....... request 2,000 of 8,000 tokens, 25% (o200k_base)
    ^ 2 more
      You help people with their tables. Ask when a question can
      be read in two ways.
    > + Skill catalog            session   1,180  59% ######....
    v 5 more"
  `)
})

test('it follows the cursor, or shows the lines it is scrolled to', () => {
  expect(view({ width: 40, height: 5, selected: 'skill-tools/data' })).toMatchInlineSnapshot(`
    "request 2,000 tokens (o200k_base)
    ▲ 7 more
    ❯ ▾ SKILL TOOLS: 데이터 분…       3  <1%
      query_table: Ask a TABLE, or two
    ▼ 3 more"
  `)
  expect(view({ width: 40, height: 5, scroll: 1 })).toMatchInlineSnapshot(`
    "request 2,000 tokens (o200k_base)
    ▲ 2 more
      You help people with their tables. Ask
      when a question can be read in two
    ▼ 8 more"
  `)
})

test('a search ignores case', () => {
  const lines = promptLines(SECTIONS, 60, 'ask a Table')
  const hits = lines.flatMap((line) => (line.kind === 'text' && line.hit ? [line.text] : []))
  expect(hits).toEqual(['query_table: Ask a TABLE, or two tables.'])
})

test('an empty search finds nothing', () => {
  const lines = promptLines(SECTIONS, 60, '')
  expect(lines.filter((line) => line.kind === 'text' && line.hit)).toEqual([])
  expect(lines.map(({ kind }) => kind).join(' ')).toBe(
    'part section text text section part section text text text',
  )
})

test('a document without sections has only its price', () => {
  expect(view({ width: 40, sections: [], height: 3 }).trimEnd()).toBe(
    'request 2,000 tokens (o200k_base)',
  )
})
