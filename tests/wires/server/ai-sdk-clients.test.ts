import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  streamText,
  tool,
} from 'ai'
import { expect, test } from 'vitest'
import { openWireServer } from './open-wire-server.ts'

const MODELS: readonly { name: string; model: (url: string) => LanguageModel }[] = [
  {
    name: '@ai-sdk/openai',
    model: (url) => createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` })('gpt-5.4'),
  },
  {
    name: '@ai-sdk/openai, Chat Completions',
    model: (url) => createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` }).chat('gpt-5.4'),
  },
  {
    name: '@ai-sdk/openai-compatible',
    model: (url) => createOpenAICompatible({ name: 'local', baseURL: `${url}/v1` })('qwen3'),
  },
  {
    name: '@ai-sdk/anthropic',
    model: (url) => createAnthropic({ apiKey: 'k', baseURL: `${url}/v1` })('claude-opus-4-8'),
  },
]

const CLIENTS = MODELS.flatMap(({ name, model }) =>
  [false, true].map((streamed) => ({ name, model, streamed })),
)

/** Two orders are refunded at the same time. */
const ANSWERS = [
  {
    thinking: 'Two orders.',
    text: 'I look at both.',
    calls: [
      { name: 'refund', input: { order: '7' } },
      { name: 'refund', input: { order: 'é' } },
    ],
  },
  'Both are done.',
]

test.each(CLIENTS)(
  'the AI SDK with $name (streamed: $streamed) talks to the server without a violation',
  async ({ model, streamed }) => {
    const server = await openWireServer({ answers: ANSWERS })
    const refunded: string[] = []
    const options = {
      model: model(server.url),
      instructions: 'Be kind.',
      prompt: 'hello',
      stopWhen: isStepCount(3),
      tools: {
        refund: tool({
          inputSchema: jsonSchema<{ order: string }>({
            type: 'object',
            properties: { order: { type: 'string' } },
            required: ['order'],
            additionalProperties: false,
          }),
          execute: ({ order }) => {
            refunded.push(order)
            return { order, done: true }
          },
        }),
      },
    }
    const text = streamed ? await streamText(options).text : (await generateText(options)).text
    await server.close()
    expect(server.violations).toEqual([])
    expect(text).toBe('Both are done.')
    expect(refunded).toEqual(['7', 'é'])
    expect(server.requests).toHaveLength(2)
  },
)

test('tools that enter in the conversation through the AI SDK are accepted', async () => {
  const server = await openWireServer({ answers: ['Hello.', 'Hello again.'] })
  const definition = {
    type: 'function' as const,
    name: 'refund',
    inputSchema: { type: 'object', properties: {} },
  }
  const messages = (options: ModelMessage['providerOptions']): ModelMessage[] => [
    { role: 'user', content: 'hello' },
    { role: 'system', content: '', ...(options !== undefined && { providerOptions: options }) },
  ]
  await generateText({
    model: createOpenAI({ apiKey: 'k', baseURL: `${server.url}/v1` })('gpt-5.4'),
    messages: messages({
      openai: {
        additionalTools: [
          { type: 'function', name: 'refund', parameters: { type: 'object', properties: {} } },
        ],
      },
    }),
    allowSystemInMessages: true,
  })
  await generateText({
    model: createAnthropic({ apiKey: 'k', baseURL: `${server.url}/v1` })('claude-opus-4-8'),
    messages: messages({
      anthropic: { toolChanges: [{ type: 'tool_addition', tool: definition }] },
    }),
    allowSystemInMessages: true,
  })
  await server.close()
  expect(server.violations).toEqual([])
  expect(server.requests.map(({ wire, body, betas }) => [wire, body.input ?? body.messages, betas]))
    .toMatchInlineSnapshot(`
      [
        [
          "openai-responses",
          [
            {
              "content": [
                {
                  "text": "hello",
                  "type": "input_text",
                },
              ],
              "role": "user",
            },
            {
              "role": "developer",
              "tools": [
                {
                  "name": "refund",
                  "parameters": {
                    "properties": {},
                    "type": "object",
                  },
                  "type": "function",
                },
              ],
              "type": "additional_tools",
            },
          ],
          [],
        ],
        [
          "anthropic-beta",
          [
            {
              "content": [
                {
                  "text": "hello",
                  "type": "text",
                },
              ],
              "role": "user",
            },
            {
              "content": [
                {
                  "tool": {
                    "definition": {
                      "input_schema": {
                        "properties": {},
                        "type": "object",
                      },
                      "name": "refund",
                    },
                    "type": "tool_definition",
                  },
                  "type": "tool_addition",
                },
              ],
              "role": "system",
            },
          ],
          [
            "structured-outputs-2025-11-13",
            "mid-conversation-system-2026-04-07",
            "inline-tools-2026-09-15",
          ],
        ],
      ]
    `)
})
