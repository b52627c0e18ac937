import type { ResponseInputItem, ResponseStreamEvent } from 'openai/resources/responses/responses'
import { createMemoryLog } from 'loadout'
import { providerName } from 'loadout/adapter'
import { forOpenAI } from 'loadout/openai'
import { expect, test } from 'vitest'
import type { Answer } from '../../../wires/server/answer.ts'
import { openModel, openShop, type Deeds } from './a-shop.ts'

const REFUND = providerName('shop.refund', 'openai')

const LOAD: Answer = [{ name: 'loadSkill', input: { skillName: 'refunds' } }]

/** Two calls in parallel, of which a person must approve the second one. */
const BOTH: Answer = {
  thinking: 'Both at once.',
  calls: [
    { name: 'find', input: { order: '7' }, id: 'c_find' },
    { name: REFUND, input: { order: '7' }, id: 'c_refund' },
  ],
}

const question = (content = 'I want my money back for order 7.'): ResponseInputItem => ({
  role: 'user',
  content,
})

/** The types of items, with the calls they are about. */
function outline(items: readonly ResponseInputItem[]): readonly string[] {
  return items.map((item) => {
    if ('role' in item && item.type !== 'additional_tools') return item.role
    return 'call_id' in item ? `${item.type} ${item.call_id}` : String(item.type)
  })
}

test('a loaded skill brings its tools in the conversation, and a run stops where a person is asked', async () => {
  const deeds: Deeds = []
  const workspace = await openShop(deeds)
  const { client, server } = await openModel([LOAD, BOTH, 'It is paid back.'])
  const openai = forOpenAI(workspace, { model: 'gpt-5.4' })
  const input = [question()]
  const parked = await openai.run(client, { input })
  expect(parked).toMatchObject({
    status: 'waiting',
    waiting: [{ call: 'c_refund', tool: 'shop.refund', input: { order: '7' } }],
  })
  expect(deeds).toEqual(['find 7'])
  expect(await openai.run(client, { input })).toMatchObject({ status: 'waiting', response: null })
  await workspace.approve(parked.waiting[0]?.confirmation ?? '', { by: 'user' })
  const { status, response } = await openai.run(client, { input })
  expect(status).toBe('done')
  expect(response?.output_text).toBe('It is paid back.')
  expect(deeds).toEqual(['find 7', 'refund 7'])
  expect(server.violations).toEqual([])
  expect(outline(input)).toEqual([
    'user',
    'function_call call_1_1',
    'function_call_output call_1_1',
    'reasoning',
    'function_call c_find',
    'function_call c_refund',
    'function_call_output c_find',
    'function_call_output c_refund',
    'assistant',
  ])
  expect(outline(server.requests[2]?.body['input'] as ResponseInputItem[])).toEqual([
    'user',
    'function_call call_1_1',
    'function_call_output call_1_1',
    'user',
    'additional_tools',
    'reasoning',
    'function_call c_find',
    'function_call c_refund',
    'function_call_output c_find',
    'function_call_output c_refund',
  ])
})

test('a streamed run gives the same requests and the same history', async () => {
  const runs = await Promise.all(
    [false, true].map(async (streamed) => {
      const workspace = await openShop([], { session: 'same' })
      const { client, server } = await openModel([LOAD, BOTH])
      const openai = forOpenAI(workspace, { model: 'gpt-5.4' })
      const events: ResponseStreamEvent[] = []
      const onEvent = (event: ResponseStreamEvent) => void events.push(event)
      const input = [question()]
      await openai.run(client, { input, ...(streamed && { onEvent }) })
      expect(server.violations).toEqual([])
      expect(events.some(({ type }) => type === 'response.completed')).toBe(streamed)
      return { input, sent: server.requests.map(({ body }) => ({ ...body, stream: undefined })) }
    }),
  )
  expect(runs[1]).toEqual(runs[0])
})

test('another process resumes a parked run from the stored history', async () => {
  const log = createMemoryLog()
  const here = await openShop([], { log, session: 's' })
  const { client, server } = await openModel([LOAD, BOTH, 'Done.'])
  const input = [question()]
  const { waiting } = await forOpenAI(here, { model: 'gpt-5.4' }).run(client, { input })
  await here.close()
  const deeds: Deeds = []
  const there = await openShop(deeds, { log, session: 's' })
  await there.approve(waiting[0]?.confirmation ?? '', { by: 'user' })
  const stored = JSON.parse(JSON.stringify(input)) as ResponseInputItem[]
  const run = await forOpenAI(there, { model: 'gpt-5.4' }).run(client, { input: stored })
  expect(run.status).toBe('done')
  expect(deeds).toEqual(['refund 7'])
  expect(server.violations).toEqual([])
  const sent = server.requests.map(({ body }) => JSON.stringify(body['input']).slice(0, -1))
  expect(sent[2]?.startsWith(sent[1] ?? '-')).toBe(true)
})

test('a loop of your own answers twice and runs nothing twice', async () => {
  const deeds: Deeds = []
  const workspace = await openShop(deeds)
  const { client } = await openModel([[{ name: 'find', input: { order: '7' } }]])
  const openai = forOpenAI(workspace)
  const input = [question()]
  const response = await client.responses.create({
    model: 'gpt-4.1',
    ...(await openai.next(input)),
  })
  const [first, second] = await Promise.all([openai.answer(response), openai.answer(response)])
  expect(first.status).toBe('continue')
  expect(second).toEqual(first)
  expect((await openai.answer(structuredClone(response))).items).toEqual(first.items)
  expect(deeds).toEqual(['find 7'])
})

test('a retry of the same request begins no second turn, and a new message of the user does', async () => {
  const workspace = await openShop()
  const openai = forOpenAI(workspace)
  const input = [question()]
  const first = await openai.next(input)
  expect((await openai.next(input)).input).toEqual(first.input)
  expect(workspace.state.turn).toBe(1)
  await openai.next([...input, { role: 'assistant', content: 'Why?' }, question()])
  expect(workspace.state.turn).toBe(2)
})

test('options of the host are in each request, before what the workspace adds', async () => {
  const workspace = await openShop([], { session: 's'.repeat(80) })
  const { client, server } = await openModel(['Hello.'])
  const openai = forOpenAI(workspace, {
    model: 'gpt-5.4',
    instructions: 'Be kind.',
    tools: [{ type: 'web_search' }],
    store: false,
  })
  await openai.run(client, {
    input: [{ role: 'developer', content: 'Be brief.' }, question()],
    temperature: 0,
    include: ['message.output_text.logprobs'],
  })
  const body = server.requests[0]?.body ?? {}
  expect(server.violations).toEqual([])
  expect(body).toMatchObject({ model: 'gpt-5.4', temperature: 0, store: false })
  expect(body['include']).toEqual(['message.output_text.logprobs', 'reasoning.encrypted_content'])
  expect(String(body['instructions'])).toMatch(/^Be kind\.\n\nYou help in a shop\./u)
  expect((body['tools'] as object[])[0]).toEqual({ type: 'web_search' })
  expect((body['input'] as object[])[0]).toEqual({ role: 'developer', content: 'Be brief.' })
  expect(String(body['prompt_cache_key'])).toHaveLength(64)
})

test.each([{ store: false }, {}])('reasoning is sent back ($store)', async (options) => {
  const { client, server } = await openModel([LOAD, BOTH, 'Done.'])
  const workspace = await openShop()
  const openai = forOpenAI(workspace, { model: 'gpt-5.4', ...options })
  const input = [question()]
  const { waiting } = await openai.run(client, { input })
  await workspace.deny(waiting[0]?.confirmation ?? '', { by: 'user' })
  await openai.run(client, { input })
  expect(server.violations).toEqual([])
  const sent = server.requests.at(-1)?.body['input'] as ResponseInputItem[]
  expect(sent.filter(({ type }) => type === 'reasoning')).toEqual([
    {
      ...(options.store === false ? { encrypted_content: 'sealed_2' } : { id: 'rs_2' }),
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Both at once.' }],
    },
  ])
})

test('with the history at the provider, only what it lacks is sent', async () => {
  const { client, server } = await openModel([LOAD, 'Loaded.', 'You are welcome.'])
  const openai = forOpenAI(await openShop(), { model: 'gpt-5.4' })
  const input = [question()]
  let previous: { previous_response_id: string } | undefined
  for (const next of [null, 'continue', 'Thanks.']) {
    if (next === 'Thanks.') input.push(question(next))
    const response = await client.responses.create(await openai.next(input, previous))
    previous = { previous_response_id: response.id }
    input.push(...(await openai.answer(response)).items)
  }
  expect(
    server.requests.map(({ body }) => [
      body['previous_response_id'],
      outline(body['input'] as ResponseInputItem[]),
    ]),
  ).toEqual([
    [undefined, ['user']],
    ['resp_1', ['function_call_output call_1_1', 'user', 'additional_tools']],
    ['resp_2', ['user']],
  ])
})
