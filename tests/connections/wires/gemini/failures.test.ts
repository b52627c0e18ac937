import { createCatalog, defineTool } from 'loadout'
import { forGemini, type GeminiResponse } from 'loadout/gemini'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer, WireCall } from '../../../wires/server/answer.ts'
import type { Deeds } from '../openai/a-shop.ts'
import { MODEL, openModel, openStore, outline, question, results } from './a-model.ts'

const FIND: WireCall = { name: 'find', input: { order: '7' } }

/** A shop, its model, and one run of it. */
async function aRun(answers: readonly Answer[], deeds: Deeds = []) {
  const workspace = await openStore(deeds)
  const { client, server } = await openModel(answers)
  const gemini = forGemini(workspace, { model: MODEL })
  const contents = [question('Where is order 7?')]
  const run = (options: Partial<Parameters<typeof gemini.run>[1]> = {}) =>
    gemini.run(client, { contents, ...options })
  return { workspace, client, server, gemini, contents, run, deeds }
}

/** What becomes of one answer, in the form of the provider. */
async function outcome(answer: GeminiResponse) {
  const deeds: Deeds = []
  const gemini = forGemini(await openStore(deeds), { model: MODEL })
  await gemini.next([question()])
  const { status, items, calls } = await gemini.answer(answer)
  return { status, items, deeds, said: JSON.stringify(results(items)), calls: calls.length }
}

const call = { functionCall: { name: 'find', args: { order: '7' } } }

test.each([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  'CONTINUATION',
  'MODEL_ARMOR',
  'A_LATER_REASON',
])(
  'no call of an answer that ended by %s runs, and each has a result with the reason',
  async (finishReason) => {
    const content = { role: 'model', parts: [{ text: 'I look.' }, call, call] }
    const { status, items, deeds, said } = await outcome({
      candidates: [{ content, finishReason }],
    })
    expect(status).toBe('cut')
    expect(deeds).toEqual([])
    expect(said).toContain(`The answer was stopped (${finishReason})`)
    expect(outline(items)).toEqual([
      'model: I look., call find, call find',
      'user: result of find, result of find',
    ])
  },
)

test.each([
  { title: 'without a candidate', answer: {} },
  { title: 'with no candidate in its list', answer: { candidates: [] } },
  {
    title: 'to a prompt that was blocked',
    answer: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } },
  },
  { title: 'without an end', answer: { candidates: [{ content: { parts: [call] } }] } },
])('an answer $title fails: nothing runs, and there is nothing to append', async ({ answer }) => {
  expect(await outcome(answer)).toMatchObject({ status: 'failed', items: [], deeds: [], calls: 0 })
})

test('an answer that ended by STOP goes on with its calls, and an empty one is done', async () => {
  const stop = { finishReason: 'STOP' }
  const called = await outcome({ candidates: [{ ...stop, content: { parts: [call] } }] })
  expect(called).toMatchObject({ status: 'continue', deeds: ['find 7'] })
  for (const content of [undefined, {}, { parts: [{ text: '' }] }]) {
    const answer = { candidates: [{ ...stop, ...(content && { content }) }] }
    expect(await outcome(answer)).toMatchObject({ status: 'done', items: [] })
  }
})

test('the last call of an answer that was cut at a limit does not run, complete calls before it do', async () => {
  const { run, contents, deeds, server } = await aRun([
    { calls: [FIND, { name: 'find', input: { order: '8' } }], stop: 'length' },
    'Sorry.',
  ])
  expect((await run()).status).toBe('cut')
  expect(deeds).toEqual(['find 7'])
  expect(JSON.stringify(results(contents)[1])).toContain('The answer ended inside this call')
  expect((await run()).status).toBe('done')
  expect(server.violations).toEqual([])
})

test('thoughts that were cut before they led to anything are not sent back', async () => {
  const { run, contents, server } = await aRun([{ thinking: 'Well,', stop: 'length' }, 'Here.'])
  expect((await run()).status).toBe('cut')
  expect(contents).toEqual([question('Where is order 7?')])
  expect((await run()).status).toBe('done')
  expect(server.violations).toEqual([])
})

test('half of a surrogate pair does not reach a handler or a request, also from an object of a class', async () => {
  const deeds: Deeds = []
  class Answer {
    candidates = [
      {
        finishReason: 'STOP',
        content: { parts: [{ functionCall: { name: 'find', args: { order: '\ud83d7' } } }] },
      },
    ]
  }
  const gemini = forGemini(await openStore(deeds), { model: MODEL })
  await gemini.next([question()])
  const { items } = await gemini.answer(new Answer())
  expect(deeds).toEqual(['find \ufffd7'])
  expect(items[0]?.parts?.[0]?.functionCall?.args).toEqual({ order: '\ufffd7' })
})

test('a piece of a call does not run', async () => {
  const partial = { functionCall: { name: 'find', willContinue: true, partialArgs: [] } }
  const candidate = { content: { parts: [partial] }, finishReason: 'STOP' }
  const { deeds, items, said } = await outcome({ candidates: [candidate] })
  expect(deeds).toEqual([])
  expect(said).toContain('The answer ended inside this call')
  expect(items[0]?.parts?.[0]?.functionCall).not.toHaveProperty('partialArgs')
})

test('signatures stay on their parts, also on an empty text, and are not merged in a stream', async () => {
  const parts = [
    { text: 'I th', thought: true },
    { text: 'ink.', thought: true },
    { text: 'So' },
    { text: ' it is' },
    { text: ' here.', thoughtSignature: 'b25l' },
    { text: ' Is it?' },
    { text: '', thoughtSignature: 'dHdv' },
    { ...call, thoughtSignature: 'dGhyZWU=' },
    { text: '' },
  ]
  const chunks = parts.map((part) => ({ candidates: [{ content: { parts: [part] } }] }))
  const end = { candidates: [{ finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 3 } }
  const raw = [...chunks, end].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  const { run, contents, server } = await aRun([
    { raw },
    { raw: raw.slice(2, 4).concat(raw.at(-1) ?? '') },
  ])
  const { response } = await run({ onChunk: () => undefined })
  expect(contents[1]?.parts?.slice(0, 5)).toEqual([
    { text: 'I think.', thought: true },
    { text: 'So it is' },
    { text: ' here.', thoughtSignature: 'b25l' },
    { text: ' Is it?' },
    { text: '', thoughtSignature: 'dHdv' },
  ])
  expect(contents[1]?.parts?.[5]).toMatchObject({ thoughtSignature: 'dGhyZWU=' })
  expect(contents[1]?.parts).toHaveLength(6)
  expect(response).toMatchObject({ usageMetadata: { promptTokenCount: 3 } })
  expect(server.violations).toEqual([])
})

test.each([1, 2, 3])('a stream that breaks after %i events runs nothing', async (after) => {
  for (const by of ['drop', 'error'] as const) {
    const { run, contents, deeds, server } = await aRun([
      { text: 'One moment.', calls: [FIND, FIND], broken: { by, after } },
      [FIND],
      'It is paid.',
    ])
    const onChunk = () => undefined
    await expect(run({ onChunk })).rejects.toThrow(/terminated|failed/u)
    expect(contents).toEqual([question('Where is order 7?')])
    expect(deeds).toEqual([])
    expect((await run({ onChunk })).status).toBe('done')
    expect(deeds).toEqual(['find 7'])
    expect(server.requests[1]?.bytes).toEqual(server.requests[0]?.bytes)
  }
})

test('a stream that ends without saying why fails', async () => {
  const chunk = { candidates: [{ content: { parts: [call] } }] }
  const { run, contents, deeds } = await aRun([{ raw: `data: ${JSON.stringify(chunk)}\n\n` }])
  expect((await run({ onChunk: () => undefined })).status).toBe('failed')
  expect(contents).toHaveLength(1)
  expect(deeds).toEqual([])
})

test.each([429, 503])(
  'after status %i the same bytes are sent again, in the same turn',
  async (status) => {
    const { workspace, run, contents, deeds, server } = await aRun([[FIND], { status }, 'Paid.'])
    await expect(run()).rejects.toThrow(`${status}`)
    const { turn } = workspace.state
    expect((await run()).status).toBe('done')
    expect(workspace.state.turn).toBe(turn)
    expect(server.requests[2]?.bytes).toEqual(server.requests[1]?.bytes)
    expect(deeds).toEqual(['find 7'])
    expect(contents).toHaveLength(4)
  },
)

test('a name that no tool has is refused with the nearest one, and goes back in a form that is legal', async () => {
  const { run, contents, server } = await aRun([
    [{ name: 'fnd', input: {} }, { name: 'find it!', input: {} }, { name: '' }],
    'Sorry.',
  ])
  expect((await run()).status).toBe('done')
  expect(JSON.stringify(results(contents)[0])).toContain('find')
  const names = contents[1]?.parts?.map(({ functionCall }) => functionCall?.name ?? '')
  for (const name of names ?? []) expect(name).toMatch(/^[a-z_][\w.:-]*$/iu)
  expect(contents[2]?.parts?.map(({ functionResponse }) => functionResponse?.name)).toEqual(names)
  expect(server.violations).toEqual([])
})

test('a run that is aborted gives the signal to the request and to the handlers', async () => {
  const controller = new AbortController()
  const wait = defineTool({
    name: 'wait',
    description: 'Wait.',
    inputSchema: z.object({}),
    execute: (_, { signal }) => {
      controller.abort()
      return signal.aborted ? 'aborted' : 'not aborted'
    },
  })
  const catalog = await createCatalog({ tools: [wait] })
  const workspace = await openStore([], { catalog, agent: undefined as never })
  const { client, server } = await openModel([[{ name: 'wait' }], 'Never.'])
  const contents = [question()]
  const { signal } = controller
  const run = forGemini(workspace, { model: MODEL }).run(client, { contents, signal })
  await expect(run).rejects.toThrow('abort')
  expect(server.requests).toHaveLength(1)
  expect(JSON.stringify(results(contents))).toContain('ABORTED')
})
