import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages/messages'
import { createMemoryLog } from 'loadout'
import { providerName } from 'loadout/adapter'
import { forAnthropic } from 'loadout/anthropic'
import { expect, test } from 'vitest'
import { withBreakpoints } from '../../../../src/connections/wires/anthropic/write-request.ts'
import type { Answer } from '../../../wires/server/answer.ts'
import type { Deeds } from '../openai/a-shop.ts'
import { MODEL, openModel, openStore, outline, question, results } from './a-model.ts'

const REFUND = providerName('shop.refund', 'anthropic')

const LOAD: Answer = [{ name: 'loadSkill', input: { skillName: 'refunds' } }]

/** Two calls in parallel, of which a person must approve the second one. */
const BOTH: Answer = {
  thinking: 'Both at once.',
  calls: [
    { name: 'find', input: { order: '7' }, id: 'c_find' },
    { name: REFUND, input: { order: '7' }, id: 'c_refund' },
  ],
}

test('a loaded skill brings its tools in the conversation, and a run stops where a person is asked', async () => {
  const deeds: Deeds = []
  const workspace = await openStore(deeds)
  const { client, server } = await openModel([LOAD, BOTH, 'It is paid back.'])
  const anthropic = forAnthropic(workspace, { model: MODEL.model })
  const messages = [question()]
  const params = { messages, max_tokens: 4096 }
  const parked = await anthropic.run(client, params)
  expect(parked).toMatchObject({
    status: 'waiting',
    waiting: [{ call: 'c_refund', tool: 'shop.refund', input: { order: '7' } }],
  })
  expect(deeds).toEqual(['find 7'])
  expect(await anthropic.run(client, params)).toMatchObject({ status: 'waiting', response: null })
  await workspace.approve(parked.waiting[0]?.confirmation ?? '', { by: 'user' })
  const { status, response } = await anthropic.run(client, params)
  expect(status).toBe('done')
  expect(response?.content).toMatchObject([{ type: 'text', text: 'It is paid back.' }])
  expect(deeds).toEqual(['find 7', 'refund 7'])
  expect(server.violations).toEqual([])
  expect(outline(messages)).toEqual([
    'user: text',
    'assistant: tool_use',
    'user: tool_result',
    'assistant: thinking, tool_use, tool_use',
    'user: tool_result',
    'user: tool_result',
    'assistant: text',
  ])
  expect(outline(server.requests[2]?.body['messages'])).toEqual([
    'user: text',
    'assistant: tool_use',
    'user: tool_result',
    'user: text',
    'system: tool_addition',
    'assistant: thinking, tool_use, tool_use',
    'user: tool_result, tool_result',
  ])
  expect(server.requests.map(({ betas }) => betas)).toEqual([
    [],
    ['inline-tools-2026-09-15'],
    ['inline-tools-2026-09-15'],
  ])
})

test('a streamed run gives the same requests and the same history', async () => {
  const runs = await Promise.all(
    [false, true].map(async (streamed) => {
      const workspace = await openStore([], { session: 'same' })
      const { client, server } = await openModel([LOAD, BOTH])
      const events: string[] = []
      const onEvent = ({ type }: { type: string }) => void events.push(type)
      const messages = [question()]
      await forAnthropic(workspace, { model: MODEL.model }).run(client, {
        messages,
        max_tokens: 4096,
        ...(streamed && { onEvent }),
      })
      expect(server.violations).toEqual([])
      expect(events.includes('message_stop')).toBe(streamed)
      return { messages, sent: server.requests.map(({ body }) => ({ ...body, stream: undefined })) }
    }),
  )
  expect(runs[1]).toEqual(runs[0])
})

test('another process resumes a parked run from the stored history', async () => {
  const log = createMemoryLog()
  const here = await openStore([], { log, session: 's' })
  const { client, server } = await openModel([LOAD, BOTH, 'Done.'])
  const messages = [question()]
  const { waiting } = await forAnthropic(here).run(client, { ...MODEL, messages })
  await here.close()
  const deeds: Deeds = []
  const there = await openStore(deeds, { log, session: 's' })
  await there.approve(waiting[0]?.confirmation ?? '', { by: 'user' })
  const stored = JSON.parse(JSON.stringify(messages)) as BetaMessageParam[]
  const run = await forAnthropic(there).run(client, { ...MODEL, messages: stored })
  expect(run.status).toBe('done')
  expect(deeds).toEqual(['refund 7'])
  expect(server.violations).toEqual([])
})

test('a loop of your own answers twice and runs nothing twice', async () => {
  const deeds: Deeds = []
  const workspace = await openStore(deeds)
  const { client } = await openModel([[{ name: 'find', input: { order: '7' } }]])
  const anthropic = forAnthropic(workspace)
  const request = await anthropic.next([question()])
  const message = await client.beta.messages.create({ ...MODEL, ...request })
  const [first, second] = await Promise.all([anthropic.answer(message), anthropic.answer(message)])
  expect(first.status).toBe('continue')
  expect(second).toEqual(first)
  expect((await anthropic.answer(structuredClone(message))).items).toEqual(first.items)
  expect(deeds).toEqual(['find 7'])
})

test('the stable API gets no beta, and tools that come are deferred', async () => {
  const workspace = await openStore()
  const { client, server } = await openModel([LOAD, 'Loaded.'])
  const anthropic = forAnthropic(workspace, { api: 'stable', model: MODEL.model })
  const messages: MessageParam[] = [{ role: 'user', content: 'Load it.' }]
  const params = { max_tokens: 4096 }
  for (const status of ['continue', 'done']) {
    const request = await anthropic.next(messages)
    expect(request).not.toHaveProperty('betas')
    const message = await client.messages.create({ ...MODEL, ...params, ...request })
    const answered = await anthropic.answer(message)
    expect(answered.status).toBe(status)
    messages.push(...answered.items)
  }
  expect(server.violations).toEqual([])
  expect(server.requests.map(({ wire, path }) => [wire, path])).toEqual([
    ['anthropic', '/v1/messages'],
    ['anthropic', '/v1/messages'],
  ])
  expect(workspace.state.exposed?.at(-1)).toMatchObject({ name: 'shop.refund', deferred: true })
  expect(messages[2]?.content).toMatchObject([
    {
      type: 'tool_result',
      content: [{ type: 'text' }, { type: 'tool_reference', tool_name: REFUND }],
    },
  ])
  expect(server.requests[1]?.body['tools']).toMatchObject([
    {},
    {},
    {},
    {},
    { name: REFUND, defer_loading: true },
  ])
})

test('a reference to a tool that the request does not have is left out', async () => {
  const { client, server } = await openModel(['Yes?'])
  const messages: BetaMessageParam[] = [
    question(),
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'loadSkill', input: {} }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c',
          content: [
            { type: 'text', text: 'Loaded.' },
            { type: 'tool_reference', tool_name: 'gone' },
          ],
        },
        { type: 'text', text: 'And now?' },
      ],
    },
  ]
  await forAnthropic(await openStore()).run(client, { ...MODEL, messages })
  expect(server.violations).toEqual([])
  expect(outline(server.requests[0]?.body['messages'])).toEqual([
    'user: text',
    'assistant: tool_use',
    'user: tool_result',
    'user: text',
  ])
})

test('options of the host are in each request, before what the workspace adds', async () => {
  const { client, server } = await openModel(['Hello.'])
  const anthropic = forAnthropic(await openStore(), {
    model: MODEL.model,
    system: 'Be kind.',
    tools: [{ type: 'web_search_20250305', name: 'web_search' }],
    cache: '1h',
  })
  const betas = ['interleaved-thinking-2025-05-14']
  await anthropic.run(client, {
    messages: [question()],
    max_tokens: 9,
    stop_sequences: ['.'],
    betas,
  })
  const { body = {}, betas: asked } = server.requests[0] ?? {}
  expect(server.violations).toEqual([])
  expect(asked).toEqual(betas)
  expect(body).toMatchObject({ model: MODEL.model, max_tokens: 9, stop_sequences: ['.'] })
  expect(body['system']).toMatchObject([
    {
      text: expect.stringMatching(/^Be kind\.\n\nYou help in a shop\./u),
      cache_control: { type: 'ephemeral', ttl: '1h' },
    },
  ])
  expect((body['tools'] as object[])[0]).toMatchObject({ name: 'web_search' })
})

/** The places of the breakpoints of a body. */
function marks(value: unknown, at = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => marks(one, `${at}/${index}`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'cache_control' ? [at] : marks(member, `${at}/${name}`),
  )
}

test('breakpoints are at the end of the system text and of the last two turns of the user', async () => {
  const { client, server } = await openModel([LOAD, BOTH, 'Done.'])
  const workspace = await openStore()
  const messages = [question()]
  const anthropic = forAnthropic(workspace, { model: MODEL.model })
  const { waiting } = await anthropic.run(client, { messages, max_tokens: 9 })
  await workspace.deny(waiting[0]?.confirmation ?? '', { by: 'user' })
  await anthropic.run(client, { messages, max_tokens: 9 })
  expect(server.violations).toEqual([])
  expect(server.requests.map(({ body }) => marks(body))).toEqual([
    ['/system/0', '/messages/0/content/0'],
    ['/system/0', '/messages/0/content/0', '/messages/4/content/0'],
    ['/system/0', '/messages/4/content/0', '/messages/6/content/1'],
  ])
})

test.each([
  { own: 1, ours: 3 },
  { own: 2, ours: 2 },
  { own: 4, ours: 0 },
])("with $own breakpoints of the host's there are $ours more", async ({ own, ours }) => {
  const messages: BetaMessageParam[] = [
    {
      role: 'user',
      content: ['a', 'b', 'c', 'd', 'e'].map((text, index) => ({
        type: 'text',
        text,
        ...(index < own && { cache_control: { type: 'ephemeral' } }),
      })),
    },
    { role: 'assistant', content: 'Yes?' },
    question(),
  ]
  const { client, server } = await openModel(['Hello.'])
  await forAnthropic(await openStore()).run(client, { ...MODEL, messages })
  expect(server.violations).toEqual([])
  expect(marks(server.requests[0]?.body)).toHaveLength(own + ours)
})

test('without a system text, the last tool that is not deferred has the breakpoint', () => {
  const tool = { name: 'find', input_schema: { type: 'object' as const } }
  const tools = [tool, { ...tool, defer_loading: true }]
  const parts = withBreakpoints({ system: [], tools, messages: [] }, { type: 'ephemeral' })
  expect(marks(parts)).toEqual(['/tools/0'])
})

test('without caching there are no breakpoints', async () => {
  const { client, server } = await openModel(['Hello.'])
  const anthropic = forAnthropic(await openStore(), { cache: false })
  await anthropic.run(client, { ...MODEL, messages: [question()] })
  expect(server.violations).toEqual([])
  expect(marks(server.requests[0]?.body)).toEqual([])
})

test('a retry of the same request begins no second turn, and a new message of the user does', async () => {
  const workspace = await openStore()
  const anthropic = forAnthropic(workspace)
  const messages = [question()]
  const first = await anthropic.next(messages)
  expect((await anthropic.next(messages)).messages).toEqual(first.messages)
  expect(workspace.state.turn).toBe(1)
  await anthropic.next([...messages, { role: 'assistant', content: 'Why?' }, question()])
  expect(workspace.state.turn).toBe(2)
})

test('what the search of the provider finds is called through the gate, and its blocks are sent back', async () => {
  const deeds: Deeds = []
  const workspace = await openStore(deeds, { discovery: {}, exposure: 'deferred' })
  const found = { type: 'tool_reference', tool_name: 'find' }
  const items = [
    {
      type: 'server_tool_use',
      id: 'srvtoolu_1',
      name: 'tool_search_tool_bm25',
      input: { query: 'order' },
      caller: { type: 'direct' },
    },
    {
      type: 'tool_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'tool_search_tool_search_result', tool_references: [found] },
    },
  ]
  const calls = [{ name: 'find', input: { order: '7' } }]
  const { client, server } = await openModel([{ items, calls }, 'Found.'])
  const anthropic = forAnthropic(workspace, {
    tools: [{ type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }],
  })
  await anthropic.run(client, { ...MODEL, messages: [question()] })
  expect(server.violations).toEqual([])
  expect(deeds).toEqual(['find 7'])
  expect(server.requests[0]?.body['tools']).toContainEqual(
    expect.objectContaining({ name: 'find', defer_loading: true }),
  )
  const sent = server.requests[1]?.body['messages'] as BetaMessageParam[]
  expect(sent[1]?.content).toMatchObject([...items, { type: 'tool_use' }])
})

test('a loaded skill that a person approved brings its deferred tools in another process, too', async () => {
  const log = createMemoryLog()
  const policy = { permissions: { ask: ['loadSkill'] } }
  const open = () => openStore([], { log, session: 'asked', policy })
  const { client, server } = await openModel([LOAD, 'It is loaded.'])
  const messages: MessageParam[] = [{ role: 'user', content: 'Load it.' }]
  const options = { model: MODEL.model, api: 'stable' } as const
  const before = await open()
  const params = { messages, max_tokens: 4096 }
  const { waiting } = await forAnthropic(before, options).run(client, params)
  await before.close()
  const after = await open()
  await after.approve(waiting[0]?.confirmation ?? '', { by: 'user' })
  expect(await forAnthropic(after, options).run(client, params)).toMatchObject({ status: 'done' })
  const [result] = results(server.requests[1]?.body['messages']) as object[][]
  expect(result).toContainEqual({ type: 'tool_reference', tool_name: REFUND })
  expect(after.state.cost).toMatchObject({ changed: null })
  expect(server.violations).toEqual([])
})
