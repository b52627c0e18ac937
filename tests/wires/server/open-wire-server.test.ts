import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import type { Answer } from './answer.ts'
import { openWireServer, type WireServer } from './open-wire-server.ts'

const openAi = ({ url }: WireServer, maxRetries = 0) =>
  new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries })

const anthropic = ({ url }: WireServer, maxRetries = 0) =>
  new Anthropic({ apiKey: 'k', baseURL: url, maxRetries })

const hello = {
  model: 'm',
  max_tokens: 99,
  messages: [{ role: 'user' as const, content: 'hello' }],
}

const posted = (server: WireServer, path: string, body: object) =>
  fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) })

test('a fault of a client is a violation with the number of the request', async () => {
  const server = await openWireServer({ answers: ['Hello.', 'Hello.'] })
  await posted(server, '/v1/messages', hello)
  await posted(server, '/v1/messages', { ...hello, maxTokens: 9 })
  await server.close()
  expect(server.violations).toEqual([
    {
      request: 1,
      wire: 'anthropic',
      in: 'request',
      check: 'schema',
      message: '/maxTokens is not known here',
    },
  ])
})

test('a fault of the script is a violation, unless it is meant', async () => {
  const calls = [
    { name: 'a', id: 'call_1' },
    { name: 'b', id: 'call_1' },
  ]
  const server = await openWireServer({ answers: [{ calls }, { calls, faulty: true }] })
  await posted(server, '/v1/messages', hello)
  await posted(server, '/v1/messages', hello)
  await posted(server, '/v1/messages', hello)
  await posted(server, '/v1/elsewhere', {})
  await server.close()
  expect(server.violations.map(({ request, check }) => [request, check])).toEqual([
    [0, 'answer-call-id-once'],
    [2, 'script'],
    [3, 'path'],
  ])
})

test.each([400, 401, 429, 500, 529])('clients read the error with status %s', async (status) => {
  const server = await openWireServer({ answers: [{ status }, { status }, { status }] })
  const asked = [
    openAi(server).responses.create({ model: 'm', input: 'hello' }),
    openAi(server).chat.completions.create(hello),
    anthropic(server).messages.create(hello),
  ]
  const errors = await Promise.allSettled(asked)
  await server.close()
  expect(errors.map((error) => error.status === 'rejected' && error.reason.status)).toEqual([
    status,
    status,
    status,
  ])
  expect(server.violations).toEqual([])
})

test('a client tries again at once when it is told to', async () => {
  const answers = [{ status: 429 }, { status: 529 }, 'Hello.']
  const server = await openWireServer({ answers })
  const message = await anthropic(server, 2).messages.create(hello)
  await server.close()
  expect(message.content).toMatchObject([{ text: 'Hello.' }])
  expect(
    server.requests.map(({ bytes }) => bytes.equals(server.requests[0]?.bytes ?? bytes)),
  ).toEqual([true, true, true])
})

test.each<{ by: 'drop' | 'error'; after: number }>([
  { by: 'drop', after: 0 },
  { by: 'drop', after: 4 },
  { by: 'error', after: 4 },
])('a stream that ends by $by after $after events is an error for every client', async (broken) => {
  const answer: Answer = { text: 'I look.', calls: [{ name: 'a', input: { x: 1 } }], broken }
  const server = await openWireServer({ answers: [answer, answer, answer] })
  const asked = [
    openAi(server).responses.stream({ model: 'm', input: 'hello' }).finalResponse(),
    openAi(server).chat.completions.stream(hello).finalChatCompletion(),
    anthropic(server).messages.stream(hello).finalMessage(),
  ]
  const outcomes = await Promise.allSettled(asked)
  await server.close()
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(server.violations).toEqual([])
})

test('an answer that is cut within a call says so on every wire', async () => {
  const cut: Answer = { calls: [{ name: 'a', arguments: '{"x":' }], stop: 'length' }
  const server = await openWireServer({ answers: [cut, cut, cut] })
  const response = await openAi(server).responses.create({ model: 'm', input: 'hello' })
  const completion = await openAi(server).chat.completions.create(hello)
  const message = await anthropic(server).messages.stream(hello).finalMessage().catch(String)
  await server.close()
  expect(response).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ arguments: '{"x":', status: 'incomplete' }],
  })
  expect(completion.choices).toMatchObject([{ finish_reason: 'length' }])
  expect(message).toMatchObject({ stop_reason: 'max_tokens', content: [{ type: 'tool_use' }] })
  expect(server.violations).toEqual([])
})

test('a turn that is paused goes on when it is sent back', async () => {
  const items = [
    {
      type: 'server_tool_use',
      id: 'srvtoolu_1',
      name: 'web_search',
      input: {},
      caller: { type: 'direct' },
    },
  ]
  const server = await openWireServer({
    answers: [{ text: 'I search.', items, stop: 'pause' }, 'Found.'],
  })
  const client = anthropic(server)
  const first = await client.messages.create(hello)
  const messages = [...hello.messages, { role: 'assistant' as const, content: first.content }]
  const second = await client.messages.create({ ...hello, messages })
  await server.close()
  expect([first.stop_reason, second.stop_reason]).toEqual(['pause_turn', 'end_turn'])
  expect(server.violations).toEqual([])
})

test('a beta that a model does not take is refused with status 400', async () => {
  const beta = 'inline-tools-2026-09-15'
  const server = await openWireServer({ answers: ['Hello.'], refusedBetas: [beta] })
  const client = anthropic(server)
  const refused = await client.beta.messages.create({ ...hello, betas: [beta] }).catch(String)
  const taken = await client.beta.messages.create(hello)
  await server.close()
  expect(refused).toContain(`Unexpected value(s) \`${beta}\``)
  expect(taken.content).toMatchObject([{ text: 'Hello.' }])
  expect(server.requests.map(({ betas }) => betas)).toEqual([[beta], []])
})

test('a scripted model answers by what was asked, and sees that the client left', async () => {
  const left = Promise.withResolvers<void>()
  const client = new AbortController()
  const server = await openWireServer({
    answers: async ({ body, index, signal }) => {
      if (index === 0) return `You use ${String(body.model)}.`
      signal.addEventListener('abort', () => left.resolve())
      client.abort()
      await left.promise
      return 'Nobody reads this.'
    },
  })
  const first = await openAi(server).responses.create({ model: 'gpt', input: 'hello' })
  const second = await openAi(server)
    .responses.create({ model: 'gpt', input: 'hello' }, { signal: client.signal })
    .catch(String)
  await server.close()
  expect(first.output_text).toBe('You use gpt.')
  expect(second).toContain('aborted')
})

test('a conversation that the provider keeps is checked as a whole', async () => {
  const server = await openWireServer({ answers: [[{ name: 'a' }], 'Done.', 'Done.'] })
  const client = openAi(server)
  const tools = [{ type: 'function' as const, name: 'a', parameters: {}, strict: false }]
  const next = (previous: string, call: string) =>
    client.responses.create({
      model: 'm',
      tools,
      previous_response_id: previous,
      input: [{ type: 'function_call_output', call_id: call, output: 'x' }],
    })
  await client.responses.create({ model: 'm', tools, input: 'hello' })
  await next('resp_1', 'call_1_1')
  expect(server.violations).toEqual([])
  await next('resp_9', 'call_1_1')
  await server.close()
  expect(server.violations.map(({ check }) => check)).toEqual([
    'earlier-answer-is-kept',
    'call-for-each-result',
  ])
})

test('an item that is kept can be referred to, and its call needs a result', async () => {
  const server = await openWireServer({ answers: [[{ name: 'a' }], 'Done.', 'Done.'] })
  const client = openAi(server)
  const tools = [{ type: 'function' as const, name: 'a', parameters: {}, strict: false }]
  const call = { type: 'item_reference' as const, id: 'fc_1_1' }
  const result = { type: 'function_call_output' as const, call_id: 'call_1_1', output: 'x' }
  await client.responses.create({ model: 'm', tools, input: 'hello' })
  await client.responses.create({ model: 'm', tools, input: [call, result] })
  expect(server.violations).toEqual([])
  await client.responses.create({ model: 'm', tools, input: [call] })
  await server.close()
  expect(server.violations.map(({ check }) => check)).toEqual(['result-for-each-call'])
})

test('the tool runner of Anthropic adds a tool by value within a thread', async () => {
  const answers: readonly Answer[] = [[{ name: 'load' }], [{ name: 'refund' }], 'Done.']
  const server = await openWireServer({ answers })
  const inputSchema = { type: 'object', properties: {} } as const
  const refund = betaTool({ name: 'refund', description: 'Pays.', inputSchema, run: () => 'paid' })
  const load = betaTool({
    name: 'load',
    description: 'Loads.',
    inputSchema,
    run: () => {
      runner.addTools(refund)
      return 'loaded'
    },
  })
  const runner = anthropic(server).beta.messages.toolRunner({
    ...hello,
    betas: ['inline-tools-2026-09-15'],
    tools: [load],
  })
  await runner.runUntilDone()
  await server.close()
  expect(server.violations).toEqual([])
  expect(server.requests[1]?.body).toMatchInlineSnapshot(`
    {
      "max_tokens": 99,
      "messages": [
        {
          "content": [
            {
              "content": "loaded",
              "tool_use_id": "toolu_1_1",
              "type": "tool_result",
            },
          ],
          "role": "user",
        },
        {
          "content": [
            {
              "tool": {
                "definition": {
                  "description": "Pays.",
                  "input_schema": {
                    "properties": {},
                    "type": "object",
                  },
                  "name": "refund",
                  "type": "custom",
                },
                "type": "tool_definition",
              },
              "type": "tool_addition",
            },
          ],
          "role": "system",
        },
      ],
      "model": "m",
      "stream": false,
      "thread": {
        "previous_message_id": "msg_1",
        "type": "continue",
      },
    }
  `)
})
