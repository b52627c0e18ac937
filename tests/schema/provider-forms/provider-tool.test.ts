import fc from 'fast-check'
import { expect, test } from 'vitest'
import { providerTool, type ProviderTools } from '../../../src/tools/definition/provider-tool.ts'

import { checkRequest, NOTHING_EARLIER } from '../../wires/check-request.ts'
import type { Wire } from '../../wires/wire.ts'

const FORMS = [
  'openai',
  'openai-strict',
  'openai-chat',
  'openai-chat-strict',
  'anthropic',
  'gemini',
  'mcp',
] as const satisfies readonly (keyof ProviderTools)[]

const tool = {
  name: 'fs.find',
  description: 'Finds.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
}

test('a tool has the form of each kind of request, under a name that fits there', () => {
  const plain = tool.inputSchema
  const strict = {
    type: 'object',
    properties: { id: { type: ['string', 'null'] } },
    required: ['id'],
    additionalProperties: false,
  }
  const parts = { name: 'fs_find__3khf1s5qk7kri4vodbqn', description: 'Finds.' }
  expect(Object.fromEntries(FORMS.map((form) => [form, providerTool(tool, form)]))).toEqual({
    openai: { type: 'function', ...parts, parameters: plain, strict: false },
    'openai-strict': { type: 'function', ...parts, parameters: strict, strict: true },
    'openai-chat': { type: 'function', function: { ...parts, parameters: plain, strict: false } },
    'openai-chat-strict': {
      type: 'function',
      function: { ...parts, parameters: strict, strict: true },
    },
    anthropic: { ...parts, input_schema: plain },
    gemini: {
      name: 'fs.find',
      description: 'Finds.',
      parameters: { type: 'OBJECT', properties: { id: { type: 'STRING' } } },
    },
    mcp: { name: 'fs.find', description: 'Finds.', inputSchema: plain },
  })
})

test('a strict tool with examples has both where there is a form for them', () => {
  const inputSchema = { ...tool.inputSchema, required: ['id'], additionalProperties: false }
  const one = { ...tool, inputSchema, strict: true, inputExamples: [{ input: { id: '7' } }] }
  expect(providerTool(one, 'openai')).toMatchObject({ parameters: inputSchema, strict: true })
  expect(providerTool(one, 'openai-chat')).toMatchObject({ function: { strict: true } })
  expect(providerTool(one, 'anthropic')).toMatchObject({
    strict: true,
    input_examples: [{ id: '7' }],
  })
})

test('a schema that is given is sent instead of a converted one', () => {
  const schema = { type: 'object', title: 'known' }
  expect(providerTool(tool, 'openai-strict', schema).parameters).toBe(schema)
})

test.each(FORMS)('what a reader would not see of a tool is shown to %s', (form) => {
  const hidden = 'safe\u202Eevas'
  const inputSchema = {
    type: 'object',
    properties: { one: { type: 'string', description: hidden } },
  }
  const outputSchema = { type: 'string', description: hidden }
  const told = JSON.stringify(
    providerTool({ name: 'cut', description: hidden, inputSchema, outputSchema }, form),
  )
  expect(told).not.toContain('\u202E')
  expect(told.split('safe<U+202E>evas')).toHaveLength(form === 'mcp' ? 4 : 3)
})

const question = [{ role: 'user', content: 'Hello.' }]

test.each<[keyof ProviderTools, Wire, Readonly<Record<string, unknown>>]>([
  ['openai', 'openai-responses', { input: question }],
  ['openai-strict', 'openai-responses', { input: question }],
  ['openai-chat', 'openai-chat', { messages: question }],
  ['openai-chat-strict', 'openai-chat', { messages: question }],
  ['anthropic', 'anthropic', { messages: question, max_tokens: 9 }],
  ['anthropic', 'anthropic-beta', { messages: question, max_tokens: 9 }],
])(
  'requests with tools of any names in the form %s are right on the wire %s',
  async (form, wire, rest) => {
    const names = fc.sample(fc.stringMatching(/^[A-Za-z0-9_.-]{1,128}$/u), 120)
    const tools = [...new Set(names)].map((name) => providerTool({ ...tool, name }, form))
    const body = { model: 'any', ...rest, tools }
    expect(await checkRequest({ wire, body, betas: [], earlier: NOTHING_EARLIER })).toEqual([])
  },
)
