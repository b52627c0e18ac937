import { createCatalog, createMemoryLog } from 'loadout'
import { forGemini, type GeminiContent, mergeChunks } from 'loadout/gemini'
import { expect, test } from 'vitest'
import type { Deeds } from '../openai/a-shop.ts'
import { contentsOf, MODEL, openModel, openStore, outline, question, results } from './a-model.ts'

const FIND = { name: 'find', input: { order: '7' } }

const REFUND = { name: 'shop.refund', input: { order: '7' } }

test('a conversation with a skill, parallel calls and a question to a person, which another process answers', async () => {
  const deeds: Deeds = []
  const log = createMemoryLog()
  const here = await openStore(deeds, { log, session: 's' })
  const { client, server } = await openModel([
    [{ name: 'loadSkill', input: { skillName: 'refunds' } }],
    { thinking: 'I need both.', text: 'Both.', calls: [FIND, REFUND] },
    'It is paid back.',
  ])
  const contents = [question()]
  const parked = await forGemini(here, { model: MODEL }).run(client, { contents })
  expect(parked).toMatchObject({ status: 'waiting', waiting: [{ tool: 'shop.refund' }] })
  expect(deeds).toEqual(['find 7'])
  await here.close()

  const there = await openStore(deeds, { log, session: 's' })
  await there.approve(parked.waiting[0]?.confirmation ?? '', { by: 'user' })
  const stored = structuredClone(contents)
  const run = await forGemini(there, { model: MODEL }).run(client, { contents: stored })
  expect(run).toMatchObject({ status: 'done', waiting: [] })
  expect(deeds).toEqual(['find 7', 'refund 7'])
  expect(server.violations).toEqual([])
  expect(outline(contentsOf(server.requests.at(-1)?.body))).toEqual([
    'user: I want my money back for order 7.',
    'model: call loadSkill',
    'user: result of loadSkill',
    expect.stringContaining('user: From the workspace, not from the user.'),
    'model: thought, Both., call find, call shop.refund',
    'user: result of find, result of shop.refund',
  ])
  expect(results(stored).slice(1)).toEqual([
    { output: { order: '7', paid: 42 } },
    { output: 'Order 7 was paid back.' },
  ])
})

test('a denial is an error in the result of its call', async () => {
  const deeds: Deeds = []
  const workspace = await openStore(deeds)
  await workspace.activateSkill('refunds')
  const { client, server } = await openModel([[REFUND], 'As you wish.'])
  const contents = [question()]
  const gemini = forGemini(workspace, { model: MODEL })
  const { waiting } = await gemini.run(client, { contents })
  await workspace.deny(waiting[0]?.confirmation ?? '', { by: 'user' })
  expect((await gemini.run(client, { contents })).status).toBe('done')
  expect(deeds).toEqual([])
  expect(results(contents)).toEqual([
    { error: { error: 'DENIED', message: expect.stringContaining('denied') as string } },
  ])
  expect(server.violations).toEqual([])
})

test('the user may say something else while a call waits, and the call is made after a later yes', async () => {
  const deeds: Deeds = []
  const workspace = await openStore(deeds)
  await workspace.activateSkill('refunds')
  const { client, server } = await openModel([[FIND, REFUND], 'It waits.', 'It is paid back.'])
  const gemini = forGemini(workspace, { model: MODEL })
  const contents = [question()]
  const { waiting } = await gemini.run(client, { contents })
  contents.push(question('What is it waiting for?'))
  await gemini.run(client, { contents })
  await workspace.approve(waiting[0]?.confirmation ?? '', { by: 'user' })
  contents.push(question('Yes, do it.'))
  expect((await gemini.run(client, { contents })).status).toBe('done')
  expect(deeds).toEqual(['find 7', 'refund 7'])
  expect(server.violations).toEqual([])
})

test('a loop of your own: the request, the answer, and what to append', async () => {
  const workspace = await openStore()
  const { client, server } = await openModel([[FIND], 'It is paid.'])
  const gemini = forGemini(workspace, { model: MODEL })
  const contents = [question('Where is order 7?')]
  let status = 'continue'
  while (status === 'continue') {
    const request = await gemini.next(contents)
    const answered = await gemini.answer(
      await client.models.generateContent({ model: MODEL, ...request }),
    )
    contents.push(...answered.items)
    ;({ status } = answered)
  }
  expect(status).toBe('done')
  expect(outline(contents)).toEqual([
    'user: Where is order 7?',
    'model: call find',
    'user: result of find',
    'model: It is paid.',
  ])
  expect(server.violations).toEqual([])
})

test('a loop of your own that streams merges the chunks', async () => {
  const { client, server } = await openModel([[FIND], { thinking: 'It is paid.', text: 'Paid.' }])
  const gemini = forGemini(await openStore(), { model: MODEL })
  const contents = [question('Where is order 7?')]
  for (let status = 'continue'; status === 'continue';) {
    const request = { model: MODEL, ...(await gemini.next(contents)) }
    const chunks = []
    for await (const chunk of await client.models.generateContentStream(request)) chunks.push(chunk)
    const answered = await gemini.answer(mergeChunks(chunks))
    contents.push(...answered.items)
    ;({ status } = answered)
  }
  expect(outline(contents).slice(1)).toEqual([
    'model: call find',
    'user: result of find',
    'model: thought, Paid.',
  ])
  expect(server.violations).toEqual([])
})

test('a streamed answer is the same as a complete one', async () => {
  const answers = [
    { thinking: 'I look for the order first.', text: 'One moment, please.', calls: [FIND, FIND] },
    'It is paid, and on its way.',
  ]
  const histories: GeminiContent[][] = []
  const chunks: unknown[] = []
  for (const isStreamed of [false, true]) {
    const { client, server } = await openModel(answers)
    const contents = [question('Where is order 7?')]
    const onChunk = (chunk: unknown) => void chunks.push(chunk)
    const gemini = forGemini(await openStore(), { model: MODEL })
    const run = await gemini.run(client, { contents, ...(isStreamed && { onChunk }) })
    expect(run.response?.candidates?.[0]?.content?.parts).toEqual([
      { text: 'It is paid, and on its way.' },
    ])
    expect(server.violations).toEqual([])
    histories.push(contents)
  }
  expect(chunks.length).toBeGreaterThan(8)
  expect(histories[1]).toEqual(histories[0])
})

test.each([
  { own: 'Be brief.', system: 'Be brief.\n\nYou help in a shop.' },
  { own: { text: 'Be brief.' }, system: ['Be brief.', 'You help in a shop.'] },
  { own: ['Be brief.', { text: 'Be kind.' }], system: ['Be brief.', 'Be kind.', 'You help'] },
  { own: { parts: [{ text: 'Be brief.' }] }, system: ['Be brief.', 'You help in a shop.'] },
  { own: undefined, system: 'You help in a shop.' },
])('the members of the own config are kept ($system)', async ({ own, system }) => {
  const workspace = await openStore()
  const { client, server } = await openModel(['Hello.'])
  const config = {
    ...(own && { systemInstruction: own }),
    temperature: 0.2,
    tools: [{ googleSearch: {} }],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    automaticFunctionCalling: { disable: false },
  }
  const gemini = forGemini(workspace, { model: MODEL, config })
  expect((await gemini.next([question()])).config.automaticFunctionCalling).toEqual({
    disable: true,
  })
  await gemini.run(client, { contents: [question()] })
  const body: Readonly<Record<string, unknown>> = server.requests[0]?.body ?? {}
  expect(body).toMatchObject({
    tools: [{ googleSearch: {} }, { functionDeclarations: expect.any(Array) as unknown }],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    generationConfig: { temperature: 0.2 },
  })
  const { parts } = body['systemInstruction'] as { parts: { text: string }[] }
  for (const [index, text] of [system].flat().entries()) expect(parts[index]?.text).toContain(text)
  expect(parts).toHaveLength([system].flat().length)
  expect(server.violations).toEqual([])
})

test('a workspace without tools sends none', async () => {
  const catalog = await createCatalog({})
  const workspace = await openStore([], { catalog, agent: undefined as never })
  const { config } = await forGemini(workspace, { model: MODEL }).next([question()])
  expect(config).not.toHaveProperty('tools')
})

test('the tokens of the provider are in the log, with those of thoughts', async () => {
  const workspace = await openStore()
  const { client } = await openModel([
    { text: 'Hello.', usage: { input: 900, cached: 512, output: 30, reasoning: 20 } },
  ])
  await forGemini(workspace, { model: MODEL }).run(client, { contents: [question()] })
  const reported = (await workspace.entries()).find(({ event }) => event.type === 'step.reported')
  expect(reported?.event).toMatchObject({
    model: 'gemini',
    usage: { input: 900, cached: 512, output: 30, reasoning: 20 },
  })
})

test('a request is made for the model of the run, else for that of the options', async () => {
  const workspace = await openStore()
  const { client, server } = await openModel(['One.', 'Two.'])
  const gemini = forGemini(workspace, { model: MODEL })
  await gemini.run(client, { contents: [question()] })
  await gemini.run(client, { model: 'gemini-2.5-pro', contents: [question()] })
  expect(server.requests.map(({ path }) => path)).toEqual([
    `/v1/models/${MODEL}:generateContent`,
    '/v1/models/gemini-2.5-pro:generateContent',
  ])
})

test('an option that it does not have is refused', async () => {
  const workspace = await openStore()
  expect(() => forGemini(workspace, { instructions: 'x' } as object)).toThrow('instructions')
})
