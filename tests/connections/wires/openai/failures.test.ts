import OpenAI from 'openai'
import type { Response, ResponseInputItem } from 'openai/resources/responses/responses'
import { createCatalog, defineTool } from 'loadout'
import { forOpenAI } from 'loadout/openai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer, WireCall } from '../../../wires/server/answer.ts'
import { openModel, openShop, type Deeds } from './a-shop.ts'

const question = (): ResponseInputItem => ({ role: 'user', content: 'Where is order 7?' })

const FIND: WireCall = { name: 'find', input: { order: '7' } }

/** The texts of the results in a history, in order. */
function results(items: readonly ResponseInputItem[]): readonly unknown[] {
  return items.flatMap((item) => (item.type === 'function_call_output' ? [item.output] : []))
}

/** A shop, its model, and one run of it. */
async function aRun(answers: readonly Answer[], deeds: Deeds = []) {
  const workspace = await openShop(deeds)
  const { client, server } = await openModel(answers)
  const openai = forOpenAI(workspace, { model: 'gpt-5.4' })
  const input = [question()]
  const run = () => openai.run(client, { input })
  return { workspace, client, server, openai, input, run, deeds }
}

test('arguments that are not JSON are refused, and go back in a form that every server takes', async () => {
  const { server, run, input, deeds } = await aRun([
    { calls: [{ name: 'find', arguments: '{"order":"7"}{"order":"8"}' }], faulty: true },
    'Sorry.',
  ])
  expect((await run()).status).toBe('done')
  expect(deeds).toEqual([])
  expect(server.violations).toEqual([])
  expect(input[1]).toMatchObject({ type: 'function_call', arguments: '{}' })
  expect(results(input)).toMatchInlineSnapshot(`
    [
      "{"error":"VALIDATION","message":"The arguments are not JSON. The arguments of \\"find\\" are not valid: Invalid input: expected object, received string. Correct the arguments and call it again."}",
    ]
  `)
})

test.each([{ cut: '{"order":"7' }, { cut: '' }, { cut: '{"order":"7"}' }])(
  'no call of an incomplete answer runs ($cut)',
  async ({ cut }) => {
    const { server, run, input, deeds } = await aRun([
      { calls: [FIND, { name: 'find', arguments: cut }], stop: 'length' },
      'Sorry.',
    ])
    expect((await run()).status).toBe('cut')
    expect(deeds).toEqual([])
    for (const result of results(input)) {
      expect(result).toContain('The answer was stopped (max_output_tokens), so none of its calls')
    }
    expect((await run()).status).toBe('done')
    expect(server.violations).toEqual([])
  },
)

test('reasoning that was cut before it led to anything is not sent back', async () => {
  const { server, run, input } = await aRun([{ thinking: 'Well,', stop: 'length' }, 'It is here.'])
  expect((await run()).status).toBe('cut')
  expect(input).toEqual([question()])
  expect((await run()).status).toBe('done')
  expect(server.violations).toEqual([])
})

test('a name that no tool has is refused with the nearest one, and the log has an entry of it', async () => {
  const { workspace, run, input } = await aRun([[{ name: 'fnd', input: {} }], 'Sorry.'])
  await run()
  expect(results(input)[0]).toContain('find')
  expect(results(input)[0]).toContain('NOT_FOUND')
  const refused = (await workspace.entries()).find(({ event }) => event.type === 'command.refused')
  expect(refused).toMatchObject({ event: { subject: 'fnd', code: 'unknown' } })
})

test('two calls with one id become two calls with ids of their own', async () => {
  const { server, run, input, deeds } = await aRun([
    {
      calls: [
        { ...FIND, id: 'c' },
        { name: 'find', input: { order: '8' }, id: 'c' },
      ],
      faulty: true,
    },
    'Both are here.',
  ])
  expect((await run()).status).toBe('done')
  expect(deeds).toEqual(['find 7', 'find 8'])
  expect(results(input)).toHaveLength(2)
  expect(server.violations).toEqual([])
})

test.each([{ id: 'x'.repeat(65) }, { id: 'same' }])(
  'an id that is too long, or was used before, is replaced ($id)',
  async ({ id }) => {
    const second = { name: 'find', input: { order: '8' }, id }
    const { server, run, deeds } = await aRun([
      { calls: [{ ...FIND, id }], faulty: true },
      { calls: [second], faulty: true },
      'Both are here.',
    ])
    expect((await run()).status).toBe('done')
    expect(deeds).toEqual(['find 7', 'find 8'])
    expect(server.violations).toEqual([])
  },
)

test('with the history at the provider, a call keeps its id', async () => {
  const { client, server, openai, input } = await aRun([
    [{ ...FIND, id: 'same' }],
    [{ ...FIND, id: 'same' }],
  ])
  const first = await client.responses.create(await openai.next(input))
  input.push(...(await openai.answer(first)).items)
  const state = { previous_response_id: first.id }
  const second = await client.responses.create(await openai.next(input, state))
  const { items } = await openai.answer(second)
  expect(items).toMatchObject([{ call_id: 'same' }, { call_id: 'same' }])
  expect(server.requests).toHaveLength(2)
})

test.each(['failed', 'cancelled', 'in_progress'] as const)(
  'of a response that is %s nothing counts',
  async (status) => {
    const { openai, deeds } = await aRun([])
    const output = [
      { type: 'function_call', call_id: 'c', name: 'find', arguments: '{"order":"7"}' },
    ]
    const answered = await openai.answer({ status, output } as unknown as Response)
    expect(answered).toEqual({ status: 'failed', items: [], calls: [], waiting: [], client: [] })
    expect(deeds).toEqual([])
  },
)

test.each(['drop', 'error'] as const)(
  'no call of a stream that breaks runs, and the next run goes on (%s)',
  async (by) => {
    const { client, server, openai, input, deeds, workspace } = await aRun([
      { calls: [FIND], broken: { by, after: 6 } },
      [FIND],
      'It is here.',
    ])
    const onEvent = () => undefined
    await expect(openai.run(client, { input, onEvent })).rejects.toThrow(
      /terminated|broke|ended|aborted/u,
    )
    expect(input).toEqual([question()])
    expect(deeds).toEqual([])
    expect((await openai.run(client, { input, onEvent })).status).toBe('done')
    expect(deeds).toEqual(['find 7'])
    expect(workspace.state.turn).toBe(1)
    expect(server.violations).toEqual([])
  },
)

test.each([429, 500, 503])(
  'after status %i in mid-conversation nothing runs twice, and the next run goes on',
  async (status) => {
    const { server, openai, client, input, deeds, workspace } = await aRun([
      [FIND],
      { status },
      'It is here.',
    ])
    const impatient = client.withOptions({ maxRetries: 0 })
    await expect(openai.run(impatient, { input })).rejects.toThrow(OpenAI.APIError)
    expect(input).toHaveLength(3)
    expect((await openai.run(impatient, { input })).status).toBe('done')
    expect(deeds).toEqual(['find 7'])
    expect(workspace.state.turn).toBe(1)
    expect(server.violations).toEqual([])
    const [, second, third] = server.requests.map(({ bytes }) => bytes.toString('utf8'))
    expect(third).toBe(second)
  },
)

test('a model that refuses additions gets its tools in `tools` from then on', async () => {
  const message = "Invalid value: 'additional_tools'. Supported values are: 'message'."
  const { server, openai, client, input } = await aRun([
    [{ name: 'loadSkill', input: { skillName: 'refunds' } }],
    { status: 400, message },
    'Loaded.',
    'You are welcome.',
  ])
  expect((await openai.run(client, { input })).status).toBe('done')
  expect(openai.fellBack).toBe(true)
  input.push({ role: 'user', content: 'Thanks.' })
  expect((await openai.run(client, { input })).status).toBe('done')
  expect(server.violations).toEqual([])
  const types = server.requests.map(({ body }) =>
    (body['input'] as ResponseInputItem[]).some(({ type }) => type === 'additional_tools'),
  )
  expect(types).toEqual([false, true, false, false])
  const counts = server.requests.map(({ body }) => (body['tools'] as object[]).length)
  expect(counts).toEqual([4, 4, 5, 5])
})

test("another bad request is the host's to see", async () => {
  const { run, openai } = await aRun([{ status: 400, message: 'No such model.' }])
  await expect(run()).rejects.toThrow('No such model.')
  expect(openai.fellBack).toBe(false)
})

test('a call without a result in the history gets one that says so, the same in each request', async () => {
  const { server, openai, client, deeds } = await aRun(['Sorry.', 'Sorry again.'])
  const input: ResponseInputItem[] = [
    question(),
    { type: 'function_call', call_id: 'c1', name: 'find', arguments: '{"order":"7"}' },
    { type: 'function_call', call_id: 'c2', name: 'find', arguments: '{"order":"8"}' },
    { type: 'function_call_output', call_id: 'c2', output: '{}' },
    { role: 'user', content: 'And?' },
  ]
  await openai.run(client, { input })
  input.push({ role: 'user', content: 'And now?' })
  await openai.run(client, { input })
  expect(deeds).toEqual([])
  expect(server.violations).toEqual([])
  const sent = server.requests.map(({ body }) => body['input'] as ResponseInputItem[])
  expect(sent.map((items) => results(items))[1]).toEqual(results(sent[0] ?? []))
  expect(results(sent[0] ?? [])).toMatchInlineSnapshot(`
    [
      "{"error":"ABORTED","message":"The run ended before this call had a result. Find out what it did before you repeat it.","partialSideEffects":true}",
      "{}",
    ]
  `)
})

test('a result whose call the host cut from the history is left out', async () => {
  const { server, openai, client } = await aRun(['Yes?'])
  const input: ResponseInputItem[] = [
    { type: 'function_call_output', call_id: 'gone', output: '{}' },
    question(),
  ]
  await openai.run(client, { input })
  expect(server.violations).toEqual([])
})

test('a provider that keeps nothing gets no ids to look for, and encrypted reasoning', async () => {
  const workspace = await openShop()
  const answers = [{ thinking: 'Look.', text: 'One moment.', calls: [FIND] }, 'Here.', 'Bye.']
  const { client, server } = await openModel(answers)
  const input = [question()]
  // The history of the host has the items as they came.
  await forOpenAI(workspace, { model: 'gpt-5.4', store: false }).run(client, { input })
  expect(input.flatMap((item) => ('id' in item ? [item.id] : []))).toEqual([
    'rs_1',
    'msg_1',
    'fc_1_1',
    'msg_2',
  ])
  input.push({ role: 'user', content: 'Thanks.' })
  await forOpenAI(workspace, { model: 'gpt-5.4', store: false }).run(client, { input })
  expect(server.violations).toEqual([])
  for (const { body } of server.requests.slice(1)) {
    const sent = body['input'] as (ResponseInputItem & { id?: string })[]
    expect(sent.filter(({ id }) => id !== undefined)).toEqual([])
    expect(sent).toContainEqual({
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Look.' }],
      encrypted_content: 'sealed_1',
    })
  }
})

test.each([
  { text: undefined, types: ['function_call'] },
  { text: 'One moment.', types: ['message', 'function_call'] },
])(
  'reasoning that the provider neither keeps nor encrypts is not sent, and $types has no id of it',
  async ({ text, types }) => {
    const workspace = await openShop()
    const { client, server } = await openModel([
      { thinking: 'Look.', ...(text !== undefined && { text }), calls: [FIND] },
      'Here.',
    ])
    const openai = forOpenAI(workspace, { model: 'gpt-5.4', store: false })
    const input = [question()]
    const { include: _, ...request } = await openai.next(input)
    input.push(...(await openai.answer(await client.responses.create(request))).items)
    await openai.run(client, { input })
    expect(server.violations).toEqual([])
    const sent = server.requests.at(-1)?.body['input'] as (ResponseInputItem & { id?: string })[]
    const ofAnswer = sent.filter(({ type }) => types.includes(type ?? ''))
    expect(ofAnswer.map(({ type, id }) => [type, id])).toEqual(
      types.map((type) => [type, undefined]),
    )
    expect(sent.map(({ type }) => type)).not.toContain('reasoning')
  },
)

test('the signal of the host reaches every handler, and the history of an aborted run is complete', async () => {
  const aborting = new AbortController()
  const reasons: unknown[] = []
  const wait = defineTool({
    name: 'wait',
    description: 'Wait.',
    inputSchema: z.object({ for: z.string() }),
    execute: (_, { signal }) => {
      if (reasons.length === 1)
        queueMicrotask(() => aborting.abort(new Error('The client is gone.')))
      reasons.push(null)
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    },
  })
  const catalog = await createCatalog({ tools: [wait] })
  const workspace = await openShop([], { catalog, agent: undefined as never })
  const { client, server } = await openModel([
    ['a', 'b'].map((one) => ({ name: 'wait', input: { for: one } })),
    'I see.',
  ])
  const openai = forOpenAI(workspace, { model: 'gpt-5.4' })
  const input = [question()]
  const { signal } = aborting
  await expect(openai.run(client, { input, signal })).rejects.toThrow('The client is gone.')
  expect(results(input)).toHaveLength(2)
  expect(results(input).join('')).toContain('ABORTED')
  expect((await openai.run(client, { input })).status).toBe('done')
  expect(server.violations).toEqual([])
  expect(reasons).toHaveLength(2)
})

test('an aborted request leaves the history as it was', async () => {
  const aborting = new AbortController()
  const workspace = await openShop()
  const { client } = await openModel(async ({ signal }) => {
    aborting.abort(new Error('The client is gone.'))
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve)
    })
    return 'Too late.'
  })
  const input = [question()]
  const running = forOpenAI(workspace).run(client, { input, signal: aborting.signal })
  await expect(running).rejects.toThrow(OpenAI.APIUserAbortError)
  expect(input).toEqual([question()])
})

test('a run ends after its last step', async () => {
  const { openai, client, input, deeds } = await aRun([[FIND], [{ ...FIND, id: 'c2' }]])
  expect(await openai.run(client, { input, maxSteps: 2 })).toMatchObject({ status: 'continue' })
  expect(deeds).toEqual(['find 7', 'find 7'])
})

test('a refusal of the model ends the run', async () => {
  const { run, input, server } = await aRun([{ text: 'No.', stop: 'refusal' }, 'Still no.'])
  expect((await run()).status).toBe('done')
  input.push(question())
  await run()
  expect(server.violations).toEqual([])
})

test('an item that the host changes in place is sent as it is now, and the ledger says so', async () => {
  const { run, input, server, workspace } = await aRun(['Here.', 'There.', 'Thanks.'])
  await run()
  input.push(question())
  await run()
  expect(workspace.state.cost?.changed ?? null).toBe(null)
  Object.assign(input[0] ?? {}, { content: 'Where is order 8?' })
  input.push(question())
  await run()
  expect(workspace.state.cost?.changed).toMatchObject({ segment: 'conversation' })
  expect(JSON.stringify(server.requests[2]?.body['input'])).toContain('order 8')
  expect(server.violations).toEqual([])
})
