import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { type Answer, type WireCall } from './answer.ts'
import { openWireServer } from './open-wire-server.ts'

const CALLS: readonly WireCall[] = [
  { name: 'refund', input: { order: '7' } },
  { name: 'lookup', input: { order: '8', deep: [1, { a: 'é' }] } },
]

const parameters = { type: 'object', properties: {} }

/** A conversation of one turn: text and calls, their results, then a text. Returns texts and calls that came back. */
interface Client {
  readonly name: string
  readonly ask: (url: string) => Promise<{ texts: readonly string[]; calls: readonly object[] }>
}

const CLIENTS: readonly Client[] = [
  {
    name: 'openai responses.create',
    ask: async (url) => {
      const client = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1` })
      return responses((body) => client.responses.create(body))
    },
  },
  {
    name: 'openai responses.stream',
    ask: async (url) => {
      const client = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1` })
      return responses((body) => client.responses.stream(body).finalResponse())
    },
  },
  {
    name: 'openai chat.completions.create',
    ask: async (url) => {
      const client = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1` })
      return chat((body) => client.chat.completions.create(body))
    },
  },
  {
    name: 'openai chat.completions.stream',
    ask: async (url) => {
      const client = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1` })
      return chat((body) => client.chat.completions.stream(body).finalChatCompletion())
    },
  },
  {
    name: 'anthropic messages.create',
    ask: async (url) => {
      const client = new Anthropic({ apiKey: 'k', baseURL: url })
      return messages((body) => client.messages.create(body))
    },
  },
  {
    name: 'anthropic messages.stream',
    ask: async (url) => {
      const client = new Anthropic({ apiKey: 'k', baseURL: url })
      return messages((body) => client.messages.stream(body).finalMessage())
    },
  },
  {
    name: 'anthropic beta.messages.create',
    ask: async (url) => {
      const client = new Anthropic({ apiKey: 'k', baseURL: url })
      return betaMessages((body) => client.beta.messages.create(body))
    },
  },
  {
    name: 'anthropic beta.messages.stream',
    ask: async (url) => {
      const client = new Anthropic({ apiKey: 'k', baseURL: url })
      return betaMessages((body) => client.beta.messages.stream(body).finalMessage())
    },
  },
]

async function responses(
  send: (
    body: Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'stream'>,
  ) => Promise<OpenAI.Responses.Response>,
) {
  const tools = CALLS.map(({ name }) => ({
    type: 'function' as const,
    name,
    parameters,
    strict: false,
  }))
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'hello' }]
  const first = await send({ model: 'gpt', instructions: 'Be kind.', input, tools })
  const calls = first.output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
  input.push(...first.output.map(asInput))
  for (const { call_id } of calls) {
    input.push({ type: 'function_call_output', call_id, output: 'done' })
  }
  const second = await send({ model: 'gpt', instructions: 'Be kind.', input, tools })
  return {
    texts: [first.output_text, second.output_text],
    calls: calls.map(({ name, arguments: text }) => ({ name, input: JSON.parse(text) })),
  }
}

/** The helper for streams adds members to what it returns that a request may not have. */
function asInput(item: OpenAI.Responses.ResponseOutputItem) {
  const text = JSON.stringify(item, (name, value: unknown) =>
    name === 'parsed_arguments' || name === 'parsed' ? undefined : value,
  )
  return JSON.parse(text) as OpenAI.Responses.ResponseInputItem
}

async function chat(
  send: (
    body: Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'>,
  ) => Promise<OpenAI.ChatCompletion>,
) {
  const tools = CALLS.map(({ name }) => ({
    type: 'function' as const,
    function: { name, parameters },
  }))
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'hello' }]
  const first = (await send({ model: 'gpt', messages, tools })).choices[0]?.message
  const calls = (first?.tool_calls ?? []).flatMap((call) =>
    call.type === 'function' ? [call] : [],
  )
  messages.push({ role: 'assistant', content: first?.content ?? null, tool_calls: calls })
  for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: 'done' })
  const second = (await send({ model: 'gpt', messages, tools })).choices[0]?.message
  return {
    texts: [first?.content ?? '', second?.content ?? ''],
    calls: calls.map(({ function: { name, arguments: text } }) => ({
      name,
      input: JSON.parse(text),
    })),
  }
}

async function messages(
  send: (body: Anthropic.MessageCreateParamsNonStreaming) => Promise<Anthropic.Message>,
) {
  const tools = CALLS.map(({ name }) => ({ name, input_schema: { type: 'object' as const } }))
  const rest = { model: 'claude', max_tokens: 99, tools }
  const sent: Anthropic.MessageParam[] = [{ role: 'user', content: 'hello' }]
  const first = await send({ ...rest, messages: sent })
  const calls = first.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
  sent.push({ role: 'assistant', content: first.content })
  sent.push({
    role: 'user',
    content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'done' })),
  })
  const second = await send({ ...rest, messages: sent })
  return {
    texts: [first, second].map(({ content }) =>
      content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    ),
    calls: calls.map(({ name, input }) => ({ name, input })),
  }
}

async function betaMessages(
  send: (
    body: Anthropic.Beta.MessageCreateParamsNonStreaming,
  ) => Promise<Anthropic.Beta.BetaMessage>,
) {
  const rest = {
    model: 'claude',
    max_tokens: 99,
    betas: ['mid-conversation-tool-changes-2026-07-01', 'inline-tools-2026-09-15'],
  }
  const sent: Anthropic.Beta.BetaMessageParam[] = [
    { role: 'user', content: 'hello' },
    {
      role: 'system',
      content: CALLS.map(({ name }) => ({
        type: 'tool_addition',
        tool: {
          type: 'tool_definition',
          definition: { type: 'custom', name, input_schema: { type: 'object' } },
        },
      })),
    },
  ]
  const first = await send({ ...rest, messages: sent })
  const calls = first.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
  sent.push({ role: 'assistant', content: first.content })
  sent.push({
    role: 'user',
    content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'done' })),
  })
  const second = await send({ ...rest, messages: sent })
  return {
    texts: [first, second].map(({ content }) =>
      content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    ),
    calls: calls.map(({ name, input }) => ({ name, input })),
  }
}

test.each(CLIENTS)('$name reads the answers, and nothing is against the types', async ({ ask }) => {
  const answers: Answer[] = [
    { thinking: 'Two orders.', text: 'I look at both.', calls: CALLS },
    'Both are done.',
  ]
  const server = await openWireServer({ answers })
  const { texts, calls } = await ask(server.url)
  await server.close()
  expect(server.violations).toEqual([])
  expect(texts).toEqual(['I look at both.', 'Both are done.'])
  expect(calls).toEqual(CALLS)
  expect(server.requests).toHaveLength(2)
})
