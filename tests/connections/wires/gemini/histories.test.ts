import { forGemini, type GeminiContent } from 'loadout/gemini'
import { expect, test } from 'vitest'
import type { Deeds } from '../openai/a-shop.ts'
import { contentsOf, MODEL, openModel, openStore, outline, question, results } from './a-model.ts'

const find = (order: string) => ({ name: 'find', args: { order } })

const found = (order: string) => ({ name: 'find', response: { output: `${order} is here` } })

/** Sends a history, and returns the contents of the request. */
async function send(contents: readonly GeminiContent[]) {
  const { client, server } = await openModel(['Done.'])
  const gemini = forGemini(await openStore(), { model: MODEL })
  await gemini.run(client, { contents: structuredClone([...contents]) })
  return { sent: contentsOf(server.requests[0]?.body), violations: server.violations }
}

test('calls and results without ids are found by their names and places', async () => {
  const history: GeminiContent[] = [
    question(),
    {
      role: 'model',
      parts: [
        { functionCall: find('7'), thoughtSignature: 'c2ln' },
        { functionCall: find('8') },
        { functionCall: { name: 'clock', args: {} } },
      ],
    },
    {
      role: 'function',
      parts: [
        { functionResponse: { name: 'clock', response: { output: 'noon' } } },
        { functionResponse: found('7') },
        { functionResponse: found('8') },
      ],
    },
    question('And now?'),
  ]
  const { sent, violations } = await send(history)
  expect(violations).toEqual([])
  expect(results(sent)).toEqual([
    { output: '7 is here' },
    { output: '8 is here' },
    { output: 'noon' },
  ])
  expect(sent[2]?.role).toBe('user')
})

test('an id of the provider goes back with its call and its result; one that was made does not', async () => {
  const { client, server } = await openModel([
    [{ name: 'find', input: { order: '7' } }],
    [{ name: 'find', input: { order: '8' } }],
    'Done.',
  ])
  const contents = [question()]
  await forGemini(await openStore(), { model: MODEL }).run(client, { contents })
  const ids = (all: readonly GeminiContent[]) =>
    all.flatMap(({ parts = [] }) =>
      parts.flatMap(({ functionCall, functionResponse }) =>
        functionCall || functionResponse ? [(functionCall ?? functionResponse)?.id ?? null] : [],
      ),
    )
  const [made, again, ...given] = ids(contents)
  expect(made).toMatch(/^call_/u)
  expect([again, ...given]).toEqual([made, 'fc-2-0', 'fc-2-0'])
  expect(ids(contentsOf(server.requests.at(-1)?.body))).toEqual([null, null, 'fc-2-0', 'fc-2-0'])
  expect(server.violations).toEqual([])
})

test('the same answer given again, in another process too, runs nothing twice and has the same ids', async () => {
  const deeds: Deeds = []
  const answer = {
    candidates: [{ finishReason: 'STOP', content: { parts: [{ functionCall: find('7') }] } }],
  }
  const gemini = forGemini(await openStore(deeds), { model: MODEL })
  await gemini.next([question()])
  const first = await gemini.answer(answer)
  expect(await gemini.answer(answer)).toEqual(first)
  expect(deeds).toEqual(['find 7'])
  const other = forGemini(await openStore(), { model: MODEL })
  await other.next([question()])
  expect((await other.answer(answer)).items).toEqual(first.items)
})

test('what the user says next to results follows them', async () => {
  const { sent, violations } = await send([
    question(),
    { role: 'model', parts: [{ functionCall: find('7'), thoughtSignature: 'c2ln' }] },
    { role: 'user', parts: [{ text: 'Hurry.' }, { functionResponse: found('7') }] },
  ])
  expect(violations).toEqual([])
  expect(outline(sent)).toEqual([
    'user: I want my money back for order 7.',
    'model: call find',
    'user: result of find',
    'user: Hurry.',
  ])
})

test('of messages of the model that follow each other, each has its results right after it', async () => {
  const { sent } = await send([
    question(),
    { role: 'model', parts: [{ functionCall: find('7'), thoughtSignature: 'c2ln' }] },
    { role: 'model', parts: [{ text: 'One moment.' }] },
    { role: 'user', parts: [{ functionResponse: found('7') }] },
  ])
  expect(outline(sent).slice(1)).toEqual([
    'model: call find',
    'user: result of find',
    'model: One moment.',
  ])
})

test('a call without a result has one that says so, and a result without its call is left out', async () => {
  const { sent, violations } = await send([
    question(),
    { role: 'user', parts: [{ functionResponse: found('9') }] },
    { role: 'model', parts: [{ functionCall: find('7'), thoughtSignature: 'c2ln' }] },
    question('And now?'),
  ])
  expect(violations).toEqual([])
  expect(outline(sent)).toEqual([
    'user: I want my money back for order 7.',
    'model: call find',
    'user: result of find',
    'user: And now?',
  ])
  expect(JSON.stringify(results(sent))).toContain('ABORTED')
})

test.each([
  { title: 'data', response: { output: { a: 1 } } },
  { title: 'a text', response: { output: 'a' } },
  { title: 'neither output nor error', response: { a: 1 } },
])('a result of another program is sent unchanged: $title', async ({ response }) => {
  const { sent } = await send([
    question(),
    { role: 'model', parts: [{ functionCall: find('7'), thoughtSignature: 'c2ln' }] },
    { parts: [{ functionResponse: { name: 'find', response } }] },
  ])
  expect(results(sent)).toEqual([response])
})
