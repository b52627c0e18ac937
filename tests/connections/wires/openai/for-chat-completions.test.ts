import type {
  ChatCompletion,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions/completions'
import { createCatalog, createMemoryLog, defineTool, succeed } from 'loadout'
import { providerName } from 'loadout/adapter'
import { forChatCompletions } from 'loadout/openai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer } from '../../../wires/server/answer.ts'
import {
  answerOf,
  type ChatStream,
  CROOKED_STREAMS,
  STRAIGHT_STREAM,
} from '../../../wires/streams/chat-streams.ts'
import { openModel, openShop, type Deeds } from './a-shop.ts'

const REFUND = providerName('shop.refund', 'openai')

const question = (content = 'I want my money back for order 7.'): ChatCompletionMessageParam => ({
  role: 'user',
  content,
})

/** A workspace with one tool that adds, which the crooked streams call. */
async function openAdder() {
  const ran: unknown[] = []
  const add = defineTool({
    name: 'add',
    description: 'Add.',
    inputSchema: z.object({ x: z.number().optional() }),
    execute: (input) => {
      ran.push(input)
      return 'added'
    },
  })
  const workspace = await openShop([], {
    catalog: await createCatalog({ tools: [add] }),
    agent: undefined as never,
    provider: 'compatible',
  })
  return { workspace, ran }
}

test('a conversation with a skill, parallel calls and a question to a person', async () => {
  const deeds: Deeds = []
  const log = createMemoryLog()
  const here = await openShop(deeds, { log, session: 's', provider: 'compatible' })
  const { client, server } = await openModel([
    [{ name: 'loadSkill', input: { skillName: 'refunds' } }],
    {
      text: 'Both.',
      calls: [
        { name: 'find', input: { order: '7' }, id: 'c_find' },
        { name: REFUND, input: { order: '7' }, id: 'c_refund' },
      ],
    },
    'It is paid back.',
  ])
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: 'Be kind.' },
    question(),
  ]
  const model = 'local'
  const chunks: unknown[] = []
  const parked = await forChatCompletions(here).run(client, {
    model,
    messages,
    onChunk: (chunk) => void chunks.push(chunk),
  })
  expect(parked).toMatchObject({ status: 'waiting', waiting: [{ call: 'c_refund' }] })
  expect(deeds).toEqual(['find 7'])
  expect(chunks).not.toEqual([])
  await here.close()
  const there = await openShop(deeds, { log, session: 's', provider: 'compatible' })
  await there.approve(parked.waiting[0]?.confirmation ?? '', { by: 'user' })
  const stored = structuredClone(messages)
  expect((await forChatCompletions(there).run(client, { model, messages: stored })).status).toBe(
    'done',
  )
  expect(deeds).toEqual(['find 7', 'refund 7'])
  expect(server.violations).toEqual([])
  const sent = server.requests.map(({ body }) => body['messages'] as ChatCompletionMessageParam[])
  expect(sent.at(-1)?.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'user',
    'assistant',
    'tool',
    'tool',
  ])
  expect(String(sent[0]?.[0]?.content)).toMatch(/^Be kind\.\n\nYou help in a shop\./u)
  const [, second, third] = sent.map((one) => JSON.stringify(one).slice(0, -1))
  expect(third?.startsWith(second ?? '-')).toBe(true)
})

test('a system message of parts is continued by a part', async () => {
  const workspace = await openShop([], { provider: 'compatible' })
  const { client, server } = await openModel(['Hello.'])
  const own = { type: 'text', text: 'Be brief.' } as const
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: [own] },
    { role: 'user', content: 'Hello.' },
  ]
  await forChatCompletions(workspace).run(client, { model: 'qwen3', messages })
  const sent = server.requests[0]?.body['messages'] as readonly ChatCompletionMessageParam[]
  const [first, second] = sent
  expect(first).toMatchObject({ role: 'system', content: [own, { type: 'text' }] })
  expect(JSON.stringify(first)).toContain('You help in a shop.')
  expect(second?.role).toBe('user')
  expect(server.violations).toEqual([])
})

test('a workspace without tools sends no list of tools', async () => {
  const catalog = await createCatalog({})
  const workspace = await openShop([], {
    catalog,
    agent: undefined as never,
    provider: 'compatible',
  })
  expect(await forChatCompletions(workspace).next([question()])).not.toHaveProperty('tools')
})

test.each([
  { provider: 'openai', key: 's' },
  { provider: 'compatible', key: undefined },
] as const)('$provider gets the key of its cache: $key', async ({ provider, key }) => {
  const workspace = await openShop([], { provider, session: 's' })
  const request = await forChatCompletions(workspace).next([question()])
  expect(request.prompt_cache_key).toBe(key)
})

/** Returns what becomes of a stream: the end of the run, what ran, and the results that the model reads. */
async function outcome(stream: ChatStream): Promise<string> {
  const { workspace, ran } = await openAdder()
  const { client, server } = await openModel([answerOf(stream), 'Done.'])
  const messages = [question('Add.')]
  const run = forChatCompletions(workspace).run(client.withOptions({ maxRetries: 0 }), {
    model: 'local',
    messages,
    onChunk: () => undefined,
  })
  const end = await run.then(
    ({ status, response }) => `${status} ${response?.choices[0]?.message.content}`,
    (error: Error) => `throws ${error.message}`,
  )
  const inRequests = server.violations.filter((one) => one.in === 'request')
  expect(inRequests).toEqual([])
  const results = messages.flatMap((message) =>
    message.role !== 'tool'
      ? []
      : typeof message.content === 'string' && message.content.startsWith('{')
        ? (JSON.parse(message.content) as { error: string }).error
        : String(message.content),
  )
  return [end.split('\n')[0], `ran ${JSON.stringify(ran)}`, ...results].join('; ')
}

test('each crooked stream has its outcome: no call is merged, and none of a broken stream runs', async () => {
  const lines: string[] = []
  for (const stream of [STRAIGHT_STREAM, ...CROOKED_STREAMS]) {
    lines.push(`${stream.name}: ${await outcome(stream)}`)
  }
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "straight: done Done.; ran [{"x":1}]; added
    ollama/ollama#11633: done Done.; ran [{"x":1}]; added
    googleapis/python-genai#2868: done Done.; ran [{"x":1}]; added
    vllm-project/vllm#18412: done Done.; ran [{"x":1}]; added
    anomalyco/opencode#37841: done Done.; ran [{"x":1}]; added
    ollama/ollama#7881: throws Chat completion stream contains an invalid tool call index: undefined; ran []
    ollama/ollama#15457: done Done.; ran []; VALIDATION
    HKUDS/nanobot#3943: done Done.; ran [{"x":1},{"x":2}]; added; added
    BerriAI/litellm#37792: done Done.; ran []; VALIDATION
    vercel/ai#6687: done Done.; ran [{}]; added
    continuedev/continue#5849: done Done.; ran []; NOT_FOUND
    langwatch/langwatch#6196: throws missing role for choice 0; ran []
    ikawrakow/ik_llama.cpp#467: done Done.; ran [{"x":1}]; added
    CommandCodeAI/command-code#785: throws missing finish_reason for choice 0; ran []
    ollama/ollama#6390: done <tool_call>; ran []
    openai/openai-agents-python#578: done Done.; ran [{"x":1}]; added
    vercel/ai#13506: throws Context length exceeded; ran []"
  `)
})

test.each([true, false])(
  'reasoning and signatures go back with the calls that they led to (streamed: %s)',
  async (isStreamed) => {
    const { workspace } = await openAdder()
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'add', arguments: '{"x":1}' },
      extra_content: { google: { thought_signature: 'sealed' } },
    }
    const streamed = answerOf({
      ...STRAIGHT_STREAM,
      parts: [
        { delta: { role: 'assistant', reasoning_content: 'One is ' } },
        { delta: { reasoning_content: 'enough.' } },
        { delta: { tool_calls: [{ index: 0, ...call }] } },
        { delta: {}, finish: 'tool_calls' },
      ],
    })
    const message = { role: 'assistant', reasoning_content: 'One is enough.', tool_calls: [call] }
    const whole = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
    const { client, server } = await openModel([
      isStreamed ? streamed : { raw: JSON.stringify(whole), contentType: 'application/json' },
      'Done.',
    ])
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Add.' }]
    const onChunk = () => undefined
    await forChatCompletions(workspace).run(client, {
      model: 'kimi-k2.5',
      messages,
      ...(isStreamed && { onChunk }),
    })
    const sent = server.requests[1]?.body['messages'] as readonly object[]
    expect(sent).toContainEqual({ ...message, content: null })
    expect(server.violations).toEqual([])
  },
)

type Called = Partial<{ id: string; name: string; arguments: unknown }>

/** A completion as a server without much care writes it. */
function completion(
  calls: readonly Called[],
  finish: string | null = 'tool_calls',
): ChatCompletion {
  const tool_calls = calls.map(({ id, name, arguments: given }) => ({
    ...(id !== undefined && { id }),
    type: 'function',
    function: {
      ...(name !== undefined && { name }),
      ...(given !== undefined && { arguments: given }),
    },
  }))
  const message = { role: 'assistant', content: null, tool_calls }
  return {
    id: 'x',
    choices: [{ index: 0, message, finish_reason: finish }],
  } as unknown as ChatCompletion
}

test.each<{
  title: string
  calls: readonly Called[]
  ran: readonly unknown[]
  errors: readonly string[]
}>([
  {
    title: 'arguments as an object',
    calls: [{ id: 'a', name: 'add', arguments: { x: 1 } }],
    ran: [{ x: 1 }],
    errors: [],
  },
  { title: 'no arguments', calls: [{ id: 'a', name: 'add' }], ran: [{}], errors: [] },
  { title: 'no id', calls: [{ name: 'add', arguments: '{}' }], ran: [{}], errors: [] },
  {
    title: 'an empty name',
    calls: [{ id: 'a', name: '', arguments: '{}' }],
    ran: [],
    errors: ['NOT_FOUND'],
  },
  { title: 'no name', calls: [{ id: 'a', arguments: '{}' }], ran: [], errors: ['NOT_FOUND'] },
  {
    title: 'a name that no server takes',
    calls: [{ id: 'a', name: 'add numbers!', arguments: '{}' }],
    ran: [],
    errors: ['NOT_FOUND'],
  },
  {
    title: 'a list as arguments',
    calls: [{ id: 'a', name: 'add', arguments: ['x'] }],
    ran: [],
    errors: ['VALIDATION'],
  },
  {
    title: 'ids of an earlier answer',
    calls: [
      { id: 'used', name: 'add', arguments: '{"x":1}' },
      { id: 'used', name: 'add', arguments: '{"x":2}' },
    ],
    ran: [{ x: 1 }, { x: 2 }],
    errors: [],
  },
])(
  '$title: the history stays valid, and a second answer runs nothing',
  async ({ calls, ran: expected, errors }) => {
    const { workspace, ran } = await openAdder()
    const { client, server } = await openModel(['Done.'])
    const chat = forChatCompletions(workspace)
    const messages: ChatCompletionMessageParam[] = [
      question('Add.'),
      {
        role: 'assistant',
        tool_calls: [{ id: 'used', type: 'function', function: { name: 'add', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'used', content: 'added' },
      question('Again.'),
    ]
    await chat.next(messages)
    const first = await chat.answer(completion(calls))
    expect(await chat.answer(completion(calls))).toEqual(first)
    expect(ran).toEqual(expected)
    expect(first.calls.flatMap(({ response }) => (response.ok ? [] : response.error.type))).toEqual(
      errors,
    )
    messages.push(...first.items)
    await chat.run(client, { model: 'local', messages })
    expect(server.violations).toEqual([])
  },
)

test('the same answer in the next step is another one, also when a server repeats its ids', async () => {
  const { workspace, ran } = await openAdder()
  const { client, server } = await openModel(['Done.'])
  const chat = forChatCompletions(workspace)
  const messages = [question('Add.')]
  for (const _ of [1, 2]) {
    await chat.next(messages)
    messages.push(...(await chat.answer(completion([{ name: 'add', arguments: '{}' }]))).items)
  }
  expect(ran).toHaveLength(2)
  await chat.run(client, { model: 'local', messages })
  expect(server.violations).toEqual([])
})

test.each([null, 'error', 'abort'])(
  'of an answer that ended by %s nothing counts',
  async (finish) => {
    const { workspace, ran } = await openAdder()
    const answered = await forChatCompletions(workspace).answer(
      completion([{ id: 'a', name: 'add', arguments: '{}' }], finish),
    )
    expect(answered).toEqual({ status: 'failed', items: [], calls: [], waiting: [], client: [] })
    expect(ran).toEqual([])
  },
)

test.each(['', '{"x":'])('a call in which the answer was cut never runs (%j)', async (cut) => {
  const { workspace, ran } = await openAdder()
  const calls = [
    { id: 'a', name: 'add', arguments: '{"x":1}' },
    { id: 'b', name: 'add', arguments: cut },
  ]
  const answered = await forChatCompletions(workspace).answer(completion(calls, 'length'))
  expect(answered.status).toBe('cut')
  expect(ran).toEqual([{ x: 1 }])
  expect(answered.items).toHaveLength(3)
})

test('a call without a result gets one right after its answer, before what came later', async () => {
  const { workspace, ran } = await openAdder()
  const { client, server } = await openModel(['Sorry.'])
  const messages: ChatCompletionMessageParam[] = [
    question('Add.'),
    {
      role: 'assistant',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'add', arguments: '{}' } },
        { id: 'b', type: 'function', function: { name: 'add', arguments: '{}' } },
      ],
    },
    question('And?'),
    { role: 'tool', tool_call_id: 'b', content: 'added' },
    { role: 'tool', tool_call_id: 'gone', content: 'added' },
  ]
  await forChatCompletions(workspace).run(client, { model: 'local', messages })
  expect(server.violations).toEqual([])
  expect(ran).toEqual([])
  const sent = server.requests[0]?.body['messages'] as ChatCompletionMessageParam[]
  expect(sent.map(({ role }) => role)).toEqual('user assistant tool tool user'.split(' '))
})

test('an answer that says nothing leaves no message', async () => {
  const { workspace } = await openAdder()
  const answered = await forChatCompletions(workspace).answer(completion([], 'stop'))
  expect(answered).toMatchObject({ status: 'done', items: [] })
})

test.each([
  {
    status: 500,
    message: 'image input is not supported - hint: you may need to provide the mmproj',
  },
  { status: 400, message: 'this model does not support image input' },
  { status: 400, message: 'x is not a multimodal model' },
])('a model without images gets descriptions after it refused one: $message', async (refusal) => {
  const image = { type: 'image', mediaType: 'image/gif', data: Buffer.from('GIF89a') } as const
  const draw = defineTool({
    name: 'draw',
    description: 'Draws.',
    category: 'retrieval',
    execute: () => succeed('Drawn.', { content: [image] }),
  })
  const catalog = await createCatalog({ tools: [draw] })
  const workspace = await openShop([], { catalog, agent: undefined as never })
  const answers: Answer[] = [[{ name: 'draw' }], refusal, [{ name: 'draw' }], 'Done.']
  const { client, server } = await openModel(answers)
  const chat = forChatCompletions(workspace)
  const messages = [question('Draw.')]
  const { status } = await chat.run(client.withOptions({ maxRetries: 0 }), { model: 'x', messages })
  expect([status, chat.fellBack, server.violations]).toEqual(['done', true, []])
  const bodies = server.requests.map(({ body }) => JSON.stringify(body))
  expect(bodies.map((body) => body.includes('image_url'))).toEqual([false, true, false, false])
  expect(bodies[3]?.split('An image was returned: image/gif, 6 bytes.')).toHaveLength(3)
  expect(workspace.state.turn).toBe(1)
})

test("an error that is not about files is the host's to see", async () => {
  const workspace = await openShop()
  const { client } = await openModel([{ status: 400, message: 'This image model is not known.' }])
  const run = forChatCompletions(workspace).run(client, { model: 'x', messages: [question()] })
  await expect(run).rejects.toThrow('This image model is not known.')
})
