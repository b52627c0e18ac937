import { expect, test } from 'vitest'
import type { JsonObject, Wire } from '../wire.ts'
import { openWireSchemas } from './wire-schemas.ts'

const GOOD: Readonly<Record<Wire, JsonObject>> = {
  'openai-responses': {
    model: 'm',
    input: [{ role: 'user', content: 'hi' }],
    tools: [{ type: 'function', name: 'a', parameters: {}, strict: false, defer_loading: true }],
  },
  'openai-chat': {
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [{ type: 'function', function: { name: 'a', parameters: {} } }],
  },
  gemini: {
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    tools: [{ functionDeclarations: [{ name: 'a', description: 'A.' }] }],
  },
  anthropic: {
    model: 'm',
    max_tokens: 1,
    messages: [{ role: 'user', content: 'hi' }],
    tools: [{ name: 'a', input_schema: { type: 'object' }, defer_loading: true }],
  },
  'anthropic-beta': {
    model: 'm',
    max_tokens: 1,
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'system',
        content: [{ type: 'tool_addition', tool: { type: 'tool_reference', name: 'a' } }],
      },
    ],
  },
}

test.each(Object.entries(GOOD))('the schema of %s accepts a good request', async (wire, body) => {
  const check = await openWireSchemas(wire as Wire)
  expect(check('request', body)).toEqual([])
})

test('a member that is spelled wrong is refused with its place', async () => {
  const responses = await openWireSchemas('openai-responses')
  expect(
    responses('request', {
      ...GOOD['openai-responses'],
      tools: [{ type: 'function', name: 'a', parameters: {}, strict: false, defer_loding: true }],
    }),
  ).toMatchInlineSnapshot(`
    [
      "/tools/0/defer_loding is not known here",
    ]
  `)
  const anthropic = await openWireSchemas('anthropic')
  expect(anthropic('request', { ...GOOD.anthropic, tools: [{ name: 'a', inputschema: {} }] }))
    .toMatchInlineSnapshot(`
      [
        "/tools/0/input_schema is missing",
        "/tools/0/inputschema is not known here",
      ]
    `)
})

test('a tool addition is refused by the stable schema', async () => {
  const stable = await openWireSchemas('anthropic')
  expect(stable('request', GOOD['anthropic-beta'])).toMatchInlineSnapshot(`
    [
      "/messages/1/content/0/text is missing",
      "/messages/1/content/0/type is not "text"",
      "/messages/1/content/0/tool is not known here",
    ]
  `)
})
