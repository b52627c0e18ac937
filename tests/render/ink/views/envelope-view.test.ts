import { createElement } from 'react'
import { expect, test } from 'vitest'
import type { ToolResponse } from '../../../../src/tools/response/tool-response.ts'
import { EnvelopeView } from '../../../../src/render/ink/views/envelope-view.tsx'
import { drawn } from '../drawn.ts'

const meta = { version: '1.0.0', tool: 'query_table', call: 'c1', durationMs: 12, seq: 7 } as const

function view(response: ToolResponse, height = 20): string {
  return drawn(createElement(EnvelopeView, { response, scroll: 0, width: 40, height }), 40)
}

test('a response has its data and its intents', () => {
  const intents = [{ type: 'remember' }] as never
  expect(view({ ok: true, data: { rows: [1, '둘'] }, intents, meta })).toMatchInlineSnapshot(`
    "DONE: query_table, call c1, 12 ms, entry
    #7

    data
    {
      "rows": [
        1,
        "둘"
      ]
    }

    intents
    [
      {
        "type": "remember"
      }
    ]


    "
  `)
})

test('parts are drawn as text, and an image as a sentence', () => {
  const data = Buffer.alloc(1_500).toString('base64')
  const content = [
    { type: 'text', text: 'Two rows.' },
    { type: 'image', mediaType: 'image/png', data },
  ] as const
  expect(view({ ok: true, data: 2, content, intents: [], meta })).toMatchInlineSnapshot(`
    "DONE: query_table, call c1, 12 ms, entry
    #7

    content
    Two rows.
    An image was returned: image/png, 1.5
    kB.

    data
    2









    "
  `)
})

test('a failure says what went wrong and whether a retry may help', () => {
  const error = {
    type: 'TIMEOUT',
    message: 'No answer in 5 s.',
    retryable: true,
    partialSideEffects: true,
    details: { limit: 5 },
  } as const
  expect(view({ ok: false, error, meta })).toMatchInlineSnapshot(`
    "FAILED: query_table, call c1, 12 ms,
    entry #7
    TIMEOUT: No answer in 5 s.
    A retry may help.
    It may have had side effects.

    details
    {
      "limit": 5
    }









    "
  `)
  const final = { ...error, retryable: false, partialSideEffects: false, details: {} }
  expect(view({ ok: false, error: final, meta }, 4)).toMatchInlineSnapshot(`
    "FAILED: query_table, call c1, 12 ms,
    entry #7
    TIMEOUT: No answer in 5 s.
    A retry will not help."
  `)
})

test('a long response is cut and says by how much', () => {
  const data = Array.from({ length: 900 }, (_, index) => index)
  const { seq: _seq, ...unrecorded } = meta
  expect(view({ ok: true, data, intents: [], meta: unrecorded }, 5)).toMatchInlineSnapshot(`
    "DONE: query_table, call c1, 12 ms

    data
    [
    ▼ 901 more"
  `)
})

test('a name with a line break forges no line', () => {
  const response = {
    ok: true,
    data: 1,
    intents: [],
    meta: { ...meta, tool: 'a\nFAILED: b' },
  } as const
  expect(view(response, 6).split('\n')[0]).toBe('DONE: a FAILED: b, call c1, 12 ms, entry')
})
