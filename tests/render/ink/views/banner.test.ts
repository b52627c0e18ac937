import { createElement } from 'react'
import { expect, test } from 'vitest'
import { Banner, type BannerProps } from '../../../../src/render/ink/views/banner.tsx'
import { drawn } from '../drawn.ts'

const DONE = {
  tone: 'done',
  text: '데이터 activated.',
  difference: { added: ['query_table', 'draw_chart'], removed: ['search'], changed: ['open'] },
  request: {
    before: 1204,
    after: 1530,
    tools: { before: 4, after: 5 },
    kept: { previous: 1204, kept: 1100, changed: null },
  },
} as const satisfies Partial<BannerProps>

test('a change has its tools, the price of the request and what is kept of the one before', () => {
  const frames = [100, 70].map((width) =>
    drawn(createElement(Banner, { ...DONE, width, height: 2 }), width),
  )
  expect(frames.join('\n\n')).toMatchInlineSnapshot(`
    "DONE 데이터 activated.
    tools +2 -1 *1 | request 1,204 → 1,530 tokens (+326), kept 1,100 of 1,204 | + query_table, draw_cha…

    DONE 데이터 activated.
    tools +2 -1 *1 | request 1,204 → 1,530 tokens (+326), kept 1,100 of 1…"
  `)
})

test('in ASCII it says the same', () => {
  const theme = { ascii: true, colour: false }
  expect(drawn(createElement(Banner, { ...DONE, width: 90, height: 2, theme }), 90))
    .toMatchInlineSnapshot(`
      "DONE 데이터 activated.
      tools +2 -1 *1 | request 1,204 -> 1,530 tokens (+326), kept 1,100 of 1,204 | + query_tabl~"
    `)
})

test('a sentence that is too long is cut before the figures', () => {
  const text = 'A sentence that goes on and on and on and on, to the very end of the line, and on.'
  expect(drawn(createElement(Banner, { ...DONE, text, width: 90 }), 90)).toMatchInlineSnapshot(
    `"DONE A sentence that goes on and o… | tools +2 -1 *1 | request 1,204 → 1,530 tokens (+326…"`,
  )
})

test('a refusal says so, without figures', () => {
  const props = { difference: null, request: null, width: 60 }
  const refused = { ...props, tone: 'refused', text: 'No skill is named "x".' } as const
  expect(drawn(createElement(Banner, refused), 60)).toBe('REFUSED No skill is named "x".')
  const note = { ...props, tone: 'note', text: 'Read again.' } as const
  expect(drawn(createElement(Banner, note), 60)).toBe('NOTE Read again.')
})

test('a change without a change of tools says so', () => {
  const difference = { added: [], removed: [], changed: [] }
  const request = {
    before: 12,
    after: 10,
    tools: { before: 4, after: 5 },
    kept: { previous: 0, kept: 0, changed: null },
  }
  const props = { ...DONE, text: 'Deactivated.', difference, request, width: 70 }
  expect(drawn(createElement(Banner, props), 70)).toMatchInlineSnapshot(
    `"DONE Deactivated. | tools unchanged | request 12 → 10 tokens (-2), no…"`,
  )
})

test('of hundreds of tools twenty are listed and the rest is counted', () => {
  const added = Array.from({ length: 300 }, (_, index) => `t${index}`)
  const difference = { added, removed: [], changed: [] }
  const props = { ...DONE, difference, width: 200, height: 2 as const }
  expect(drawn(createElement(Banner, props), 200)).toContain('t18, t19, 280 more')
})
