import { Anthropic } from '@anthropic-ai/sdk'
import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import { createCatalog, defineTool } from 'loadout'
import { forAnthropic } from 'loadout/anthropic'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer, WireCall } from '../../../wires/server/answer.ts'
import type { WireServerOptions } from '../../../wires/server/open-wire-server.ts'
import type { Deeds } from '../openai/a-shop.ts'
import { MODEL, openModel, openStore, outline, question, results } from './a-model.ts'

const FIND: WireCall = { name: 'find', input: { order: '7' } }

const LOAD: Answer = [{ name: 'loadSkill', input: { skillName: 'refunds' } }]

/** A shop, its model, and one run of it. */
async function aRun(answers: readonly Answer[], options: Omit<WireServerOptions, 'answers'> = {}) {
  const deeds: Deeds = []
  const workspace = await openStore(deeds)
  const { client, server } = await openModel(answers, options)
  const anthropic = forAnthropic(workspace, { model: MODEL.model })
  const messages = [question()]
  const run = (more: object = {}) => anthropic.run(client, { max_tokens: 99, messages, ...more })
  return { workspace, client, server, anthropic, messages, run, deeds }
}

const SEARCHED = [
  { type: 'server_tool_use', id: 's1', name: 'web_search', input: {}, caller: { type: 'direct' } },
]

test('a turn that paused is sent back unchanged, and what changed meanwhile waits', async () => {
  const { workspace, server, anthropic, client, messages, run } = await aRun([
    { items: SEARCHED, stop: 'pause' },
    'It is here.',
    'You are welcome.',
  ])
  const request = await anthropic.next(messages)
  const paused = await client.beta.messages.create({ ...MODEL, ...request })
  const answered = await anthropic.answer(paused)
  expect(answered).toMatchObject({ status: 'continue', calls: [] })
  messages.push(...answered.items)
  await workspace.activateSkill('refunds')
  expect((await run()).status).toBe('done')
  messages.push(question('Thanks.'))
  await run()
  const [first, second, third] = server.requests.map(({ body }) => body['messages'] as object[])
  expect(outline(second)).toEqual(['user: text', 'assistant: server_tool_use'])
  expect(second?.[1]).toEqual({ role: 'assistant', content: paused.content })
  expect(outline(first)).toEqual(['user: text'])
  expect(outline(third)).toEqual([
    ...outline(second),
    'assistant: text',
    'user: text',
    'user: text',
    'system: tool_addition',
  ])
  // The scripted answers have no result of the search, which a real one has.
  const checks = new Set(server.violations.map(({ check }) => check))
  checks.delete('server-result-for-each-call')
  expect([...checks]).toEqual([])
  const steps = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'step.begun' ? (event.cost?.changed ?? null) : [],
  )
  expect(steps).toEqual([null, null, null])
})

test.each([{ cut: '{"order":"7' }, { cut: '' }, { cut: '{"order":"7"}' }])(
  'a call in which the answer was cut never runs, and the complete one before it does ($cut)',
  async ({ cut }) => {
    const { server, run, messages, deeds } = await aRun([
      { calls: [FIND, { name: 'find', arguments: cut }], stop: 'length', faulty: true },
      'Sorry.',
    ])
    expect((await run({ onEvent: () => undefined })).status).toBe('cut')
    expect(deeds).toEqual(['find 7'])
    expect(results(messages)[1]).toContain('The answer ended inside this call, so it was not made.')
    expect((await run()).status).toBe('done')
    expect(server.violations).toEqual([])
  },
)

test('thinking that was cut before it led to anything is not sent back', async () => {
  const { server, run, messages } = await aRun([{ thinking: 'Well,', stop: 'length' }, 'Here.'])
  expect((await run()).status).toBe('cut')
  expect(messages).toEqual([question()])
  expect((await run()).status).toBe('done')
  expect(server.violations).toEqual([])
})

test('an answer that the provider refused to finish counts for nothing', async () => {
  const { run, messages, deeds } = await aRun([{ calls: [FIND], stop: 'refusal' }])
  expect((await run()).status).toBe('cut')
  expect(messages).toEqual([question()])
  expect(deeds).toEqual([])
})

test('thinking is sent back unchanged, its signature included', async () => {
  const { server, run } = await aRun([{ thinking: 'A find.', calls: [FIND] }, 'Found.'])
  await run()
  expect(server.violations).toEqual([])
  const sent = server.requests[1]?.body['messages'] as BetaMessageParam[]
  expect(sent[1]?.content).toMatchObject([
    { type: 'thinking', thinking: 'A find.', signature: 'signed_1' },
    { type: 'tool_use' },
  ])
})

test('a history that lost its thinking is sent as it is', async () => {
  const { server, run, messages } = await aRun([{ thinking: 'A find.', calls: [FIND] }, 'Found.'])
  await run({ maxSteps: 1 })
  const [, answer] = messages
  if (typeof answer?.content !== 'object') throw new Error('The answer has blocks.')
  const content = answer.content.filter(({ type }) => type !== 'thinking')
  messages[1] = { role: 'assistant', content } as BetaMessageParam
  expect((await run()).status).toBe('done')
  expect(server.violations).toEqual([])
})

test('a call without a result in the history gets one that says so, the same in each request', async () => {
  const { server, anthropic, client, deeds } = await aRun(['Sorry.', 'Sorry again.'])
  const call = (id: string, order: string) =>
    ({ type: 'tool_use', id, name: 'find', input: { order } }) as const
  const messages: BetaMessageParam[] = [
    question(),
    { role: 'assistant', content: [call('c1', '7'), call('c2', '8')] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c2', content: '{}' }] },
    question('And?'),
  ]
  await anthropic.run(client, { max_tokens: 9, messages })
  messages.push(question('And now?'))
  await anthropic.run(client, { max_tokens: 9, messages })
  expect(deeds).toEqual([])
  expect(server.violations).toEqual([])
  const sent = server.requests.map(({ body }) => results(body['messages']))
  expect(sent[1]).toEqual(sent[0])
  expect(sent[0]).toMatchInlineSnapshot(`
    [
      "{"error":"ABORTED","message":"The run ended before this call had a result. Find out what it did before you repeat it.","partialSideEffects":true}",
      "{}",
    ]
  `)
})

test('a result whose call the host cut from the history is left out', async () => {
  const { server, anthropic, client } = await aRun(['Yes?'])
  const messages: BetaMessageParam[] = [
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: '{}' },
        { type: 'text', text: 'And?' },
      ],
    },
  ]
  await anthropic.run(client, { max_tokens: 9, messages })
  expect(server.violations).toEqual([])
  expect(results(server.requests[0]?.body['messages'])).toEqual([])
})

test.each(['drop', 'error'] as const)(
  'no call of a stream that breaks runs, and the next run goes on (%s)',
  async (by) => {
    const { server, run, messages, deeds, workspace } = await aRun([
      { calls: [FIND], broken: { by, after: 5 } },
      [FIND],
      'It is here.',
    ])
    const onEvent = () => undefined
    await expect(run({ onEvent })).rejects.toThrow(Anthropic.AnthropicError)
    expect(messages).toEqual([question()])
    expect(deeds).toEqual([])
    expect((await run({ onEvent })).status).toBe('done')
    expect(deeds).toEqual(['find 7'])
    expect(workspace.state.turn).toBe(1)
    expect(server.violations).toEqual([])
  },
)

test('of a message without an end nothing counts', async () => {
  const { anthropic, client, messages, deeds } = await aRun([[FIND]])
  const request = await anthropic.next(messages)
  const message = await client.beta.messages.create({ ...MODEL, ...request })
  const answered = await anthropic.answer({ ...message, stop_reason: null })
  expect(answered).toEqual({ status: 'failed', items: [], calls: [], waiting: [], client: [] })
  expect(deeds).toEqual([])
})

test.each([429, 500, 503, 529])(
  'after status %i in mid-conversation nothing runs twice, and the next run goes on',
  async (status) => {
    const { server, run, messages, deeds, workspace } = await aRun([
      [FIND],
      { status },
      'It is here.',
    ])
    await expect(run()).rejects.toThrow(Anthropic.APIError)
    expect(messages).toHaveLength(3)
    expect((await run()).status).toBe('done')
    expect(deeds).toEqual(['find 7'])
    expect(workspace.state.turn).toBe(1)
    expect(server.violations).toEqual([])
    const [, second, third] = server.requests.map(({ bytes }) => bytes.toString('utf8'))
    expect(third).toBe(second)
  },
)

/** The strategy that the log has of each step. */
async function strategies({ workspace }: Awaited<ReturnType<typeof aRun>>) {
  return (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'step.begun' ? event.strategy : [],
  )
}

test('a model that refuses the beta gets its tools deferred from then on, and the log says so', async () => {
  const all = await aRun([LOAD, 'Loaded.', 'You are welcome.'], {
    refusedBetas: ['inline-tools-2026-09-15'],
  })
  const { server, anthropic, messages, run } = all
  expect((await run()).status).toBe('done')
  expect(anthropic.fellBack).toBe(true)
  messages.push(question('Thanks.'))
  expect((await run()).status).toBe('done')
  expect(server.violations).toEqual([])
  expect(server.requests.map(({ betas }) => betas.length)).toEqual([0, 1, 0, 0])
  expect(await strategies(all)).toEqual(['conversation', 'conversation', 'deferred', 'deferred'])
  const counts = server.requests.map(({ body }) => (body['tools'] as object[]).length)
  expect(counts).toEqual([4, 4, 5, 5])
})

test.each([
  "messages.4: role 'system' is not supported on this model",
  'messages.4.content.0: Input tag `tool_addition` found using `type` does not match',
])(
  'a model that refuses the message of the system gets its tools deferred: %s',
  async (message) => {
    const { run, anthropic, server } = await aRun([LOAD, { status: 400, message }, 'Loaded.'])
    expect((await run()).status).toBe('done')
    expect(anthropic.fellBack).toBe(true)
    expect(server.violations).toEqual([])
  },
)

test('a model that refuses deferral, too, gets its tools in full', async () => {
  const message = "'claude-old' does not support defer_loading"
  const all = await aRun([
    LOAD,
    { status: 400, message: 'Unexpected tool_addition' },
    { status: 400, message },
    'Loaded.',
  ])
  expect((await all.run()).status).toBe('done')
  expect(all.server.violations).toEqual([])
  expect((await strategies(all)).at(-1)).toBe('append')
})

test("another bad request is the host's to see", async () => {
  const { run, anthropic } = await aRun([{ status: 400, message: 'No such model.' }])
  await expect(run()).rejects.toThrow('No such model.')
  expect(anthropic.fellBack).toBe(false)
})

test('the signal of the host reaches every handler, and the history of an aborted run is complete', async () => {
  const aborting = new AbortController()
  let begun = 0
  const wait = defineTool({
    name: 'wait',
    description: 'Wait.',
    inputSchema: z.object({ for: z.string() }),
    execute: (_, { signal }) => {
      begun += 1
      if (begun === 2) queueMicrotask(() => aborting.abort(new Error('The client is gone.')))
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    },
  })
  const catalog = await createCatalog({ tools: [wait] })
  const workspace = await openStore([], { catalog, agent: undefined as never })
  const { client, server } = await openModel([
    ['a', 'b'].map((one) => ({ name: 'wait', input: { for: one } })),
    'I see.',
  ])
  const anthropic = forAnthropic(workspace)
  const messages = [question()]
  const { signal } = aborting
  await expect(anthropic.run(client, { ...MODEL, messages, signal })).rejects.toThrow(
    'The client is gone.',
  )
  expect(results(messages)).toHaveLength(2)
  expect(results(messages).join('')).toContain('ABORTED')
  expect((await anthropic.run(client, { ...MODEL, messages })).status).toBe('done')
  expect(server.violations).toEqual([])
  expect(begun).toBe(2)
})

test('an aborted request leaves the history as it was', async () => {
  const aborting = new AbortController()
  const { client } = await openModel(async ({ signal }) => {
    aborting.abort(new Error('The client is gone.'))
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve)
    })
    return 'Too late.'
  })
  const messages = [question()]
  const { signal } = aborting
  const running = forAnthropic(await openStore()).run(client, { ...MODEL, messages, signal })
  await expect(running).rejects.toThrow(Anthropic.APIUserAbortError)
  expect(messages).toEqual([question()])
})

test('a name that no tool has is refused with the nearest one, and the log has an entry of it', async () => {
  const { workspace, run, messages } = await aRun([[{ name: 'fnd', input: {} }], 'Sorry.'])
  await run()
  expect(results(messages)[0]).toContain('NOT_FOUND')
  const refused = (await workspace.entries()).find(({ event }) => event.type === 'command.refused')
  expect(refused).toMatchObject({ event: { subject: 'fnd', code: 'unknown' } })
})
