import { createElement } from 'react'
import { expect, test } from 'vitest'
import type { DocumentDiff } from '../../../../src/render/prompt/diff-documents.ts'
import { DiffView } from '../../../../src/render/ink/views/diff-view.tsx'
import { drawn } from '../drawn.ts'

const DOCUMENT: DocumentDiff = {
  changes: [
    {
      kind: 'changed',
      id: 'skill-tools/data',
      title: 'SKILL TOOLS: 데이터',
      before: 100,
      after: 120,
      lines: [
        { kind: 'same', text: 'one\ntwo\nthree\nfour\nfive\n' },
        { kind: 'removed', text: 'old\n' },
        { kind: 'added', text: 'new, and so long that it must go on in the next line\n' },
        { kind: 'same', text: 'six\nseven\neight\nnine\nten\neleven\n' },
        { kind: 'added', text: 'last' },
      ],
    },
    {
      kind: 'removed',
      id: 'panel/notes',
      title: 'PANEL: Notes',
      before: 12,
      after: 0,
      lines: [{ kind: 'removed', text: 'a note\n\n' }],
    },
  ],
}
const REQUEST = {
  before: 1204,
  after: 1530,
  tools: { before: 400, after: 520 },
  kept: {
    previous: 1204,
    kept: 1100,
    changed: { segment: 'tools', part: 'query_table', at: 1100 },
  },
} as const
const TOOLS = { added: ['query_table'], removed: ['search'], changed: ['open'] }

test('a difference has its price, its tools, and its sections line by line', () => {
  const props = {
    tools: TOOLS,
    document: DOCUMENT,
    request: REQUEST,
    scroll: 0,
    width: 44,
    height: 40,
  }
  expect(drawn(createElement(DiffView, props), 44)).toMatchInlineSnapshot(`
    "request 1,204 to 1,530 tokens (+326), kept
      1,100 of 1,204
    cache lost from tools "query_table" on: 104
      tokens
    Available tools: 1 added, 1 removed, 1
      changed; in the request 400 to 520 tokens
      (+120)
    + query_table
    - search
    * open (changed)
    SKILL TOOLS: 데이터 (changed): 100 to 120
      tokens (+20)
      (3 unchanged lines)
      four
      five
    - old
    + new, and so long that it must go on in the
    + next line
      six
      seven
      (2 unchanged lines)
      ten
      eleven
    + last
    PANEL: Notes (removed): 12 to 0 tokens (-12)
    - a note













    "
  `)
})

test('two equal moments say so', () => {
  const document = {
    changes: [],
  }
  const tools = { added: [], removed: [], changed: [] }
  const request = {
    before: 9,
    after: 9,
    tools: { before: 2, after: 2 },
    kept: { previous: 9, kept: 9, changed: null },
  }
  const props = { tools, document, request, scroll: 0, width: 60, height: 5 }
  expect(drawn(createElement(DiffView, props), 60)).toMatchInlineSnapshot(`
    "request 9 to 9 tokens (0), kept 9 of 9
    Available tools: 0 added, 0 removed, 0 changed; in the
      request 2 to 2 tokens (0)
    No tools were added, removed or changed.
    "
  `)
})

test('a long difference is scrolled by lines', () => {
  const props = {
    tools: TOOLS,
    document: DOCUMENT,
    request: REQUEST,
    scroll: 4,
    width: 44,
    height: 5,
  }
  expect(drawn(createElement(DiffView, props), 44)).toMatchInlineSnapshot(`
    "▲ 5 more
      changed; in the request 400 to 520 tokens
      (+120)
    + query_table
    ▼ 18 more"
  `)
})
