import { forGemini } from 'loadout/gemini'
import { expect, test } from 'vitest'
import { officeCatalog, scripted } from '../wire-sessions/office-session.ts'
import { MODEL, openModel, openStore, question } from './a-model.ts'

test('over 20 steps with activations and departures, earlier contents are a prefix, and the ledger names each change of tools', async () => {
  const catalog = await officeCatalog()
  const workspace = await openStore([], {
    catalog,
    agent: undefined as never,
    exposure: 'append',
  })
  const { client, server } = await openModel(scripted)
  const gemini = forGemini(workspace, { model: MODEL, withdraw: 'never' })
  const contents = []
  for (const text of ['One.', 'Two.', 'Three.']) {
    contents.push(question(text))
    expect((await gemini.run(client, { contents })).status).toBe('done')
  }
  const { requests, violations } = server
  expect(violations).toEqual([])
  expect(requests).toHaveLength(20)
  const bytesOf = (member: string) =>
    requests.map(({ bytes, body }) => {
      const text = JSON.stringify(body[member])
      expect(bytes.toString('utf8')).toContain(`"${member}":${text}`)
      return text
    })
  const sent = bytesOf('contents').map((text) => text.slice(0, -1))
  for (const [index, text] of sent.entries())
    expect(text.startsWith(sent[index - 1] ?? '')).toBe(true)
  expect(new Set(bytesOf('systemInstruction'))).toHaveLength(1)
  const tools = bytesOf('tools')
  const steps = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'step.begun' ? event : [],
  )
  expect(steps.map(({ cost }) => cost?.changed?.segment ?? null)).toEqual(
    tools.map((text, index) => (index > 0 && text !== tools[index - 1] ? 'tools' : null)),
  )
})

test('an answer that is continued keeps what was sent, and the ledger says so', async () => {
  const workspace = await openStore()
  const { client, server } = await openModel([
    { text: 'It is', stop: 'length' },
    [{ name: 'find', input: { order: '7' } }],
    'It is paid.',
  ])
  const gemini = forGemini(workspace, { model: MODEL })
  const contents = [question('Where is order 7?')]
  expect((await gemini.run(client, { contents })).status).toBe('cut')
  expect((await gemini.run(client, { contents })).status).toBe('done')
  const sent = server.requests.map(({ body }) => JSON.stringify(body['contents']).slice(0, -1))
  expect(sent[2]?.startsWith(sent[1] ?? '-') && sent[1]?.startsWith(sent[0] ?? '-')).toBe(true)
  const costs = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'step.begun' ? [event.cost?.changed ?? null] : [],
  )
  expect(costs).toEqual([null, null, null])
})
