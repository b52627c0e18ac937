import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import type { VirtualWorkspace } from 'loadout'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import { expect, test } from 'vitest'
import type { WireRequest } from '../../../wires/server/open-wire-server.ts'
import { officeCatalog, scripted } from '../wire-sessions/office-session.ts'
import { openModel, openShop } from './a-shop.ts'

async function openOffice(exposure?: 'append'): Promise<VirtualWorkspace> {
  const catalog = await officeCatalog()
  return openShop([], { catalog, agent: undefined as never, ...(exposure && { exposure }) })
}

/** Returns the bytes of a member of each body, without the closing bracket. */
function bytesOf(requests: readonly WireRequest[], member: string): readonly string[] {
  return requests.map(({ bytes, body }) => {
    const text = JSON.stringify(body[member])
    expect(bytes.toString('utf8')).toContain(`"${member}":${text}`)
    return text.slice(0, -1)
  })
}

function isPrefixed(texts: readonly string[]): boolean {
  return texts.every((text, index) => index === 0 || text.startsWith(texts[index - 1] ?? '-'))
}

test('over 20 steps with activations and departures, tools are the same bytes and earlier input is a prefix', async () => {
  const workspace = await openOffice()
  const { client, server } = await openModel(scripted)
  const openai = forOpenAI(workspace, { model: 'gpt-5.4' })
  const input: ResponseInputItem[] = []
  for (const content of ['One.', 'Two.', 'Three.']) {
    input.push({ role: 'user', content })
    expect((await openai.run(client, { input })).status).toBe('done')
  }
  const { requests, violations } = server
  expect(violations).toEqual([])
  expect(requests).toHaveLength(20)
  expect(new Set(bytesOf(requests, 'tools'))).toHaveLength(1)
  expect(new Set(requests.map(({ body }) => body['instructions']))).toHaveLength(1)
  expect(isPrefixed(bytesOf(requests, 'input'))).toBe(true)
  const steps = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'step.begun' ? event : [],
  )
  expect(steps.map(({ strategy }) => strategy)).toEqual(Array(20).fill('conversation'))
  expect(steps.map(({ cost }) => cost?.changed ?? null)).toEqual(Array(20).fill(null))
  expect(steps.map(({ cost }) => cost?.lost)).toEqual(Array(20).fill(0))
})

test('a tool that left stays in the conversation, and its calls are refused', async () => {
  const workspace = await openOffice()
  const { client } = await openModel(scripted)
  const input: ResponseInputItem[] = [{ role: 'user', content: 'One.' }]
  await forOpenAI(workspace, { model: 'gpt-5.4' }).run(client, { input })
  const refused = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'command.refused' ? `${event.subject} ${event.code}` : [],
  )
  expect(refused).toEqual(['use_letters skill-inactive'])
})

test.each([
  { title: 'Responses, a model that takes no additions', model: 'gpt-4.1' },
  { title: 'Responses, an unknown model', model: undefined },
])('$title: the ledger names the first change of each request', async ({ model }) => {
  const workspace = await openOffice('append')
  const { client, server } = await openModel(scripted)
  const openai = forOpenAI(workspace, model === undefined ? {} : { model })
  const input: ResponseInputItem[] = [{ role: 'user', content: 'One.' }]
  await openai.run(client, { input, ...(model === undefined && ({ model: 'x' } as object)) })
  expect(server.violations).toEqual([])
  await expectSameChanges(workspace, bytesOf(server.requests, 'tools'))
})

test('Chat Completions: earlier messages are a prefix, and the ledger names each change of tools', async () => {
  const workspace = await openOffice('append')
  const { client, server } = await openModel(scripted)
  const chat = forChatCompletions(workspace, { withdraw: 'never' })
  const messages: ChatCompletionMessageParam[] = [{ role: 'system', content: 'Be kind.' }]
  for (const content of ['One.', 'Two.', 'Three.']) {
    messages.push({ role: 'user', content })
    await chat.run(client, { model: 'gpt-5.4', messages })
  }
  expect(server.violations).toEqual([])
  expect(isPrefixed(bytesOf(server.requests, 'messages'))).toBe(true)
  const tools = bytesOf(server.requests, 'tools')
  expect(isPrefixed(tools)).toBe(true)
  await expectSameChanges(workspace, tools)
})

/** The ledger reports a change of tools exactly where the bodies have one. */
async function expectSameChanges(
  workspace: VirtualWorkspace,
  tools: readonly string[],
): Promise<void> {
  const steps = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'step.begun' ? event : [],
  )
  expect(steps.map(({ cost }) => cost?.changed?.segment ?? null)).toEqual(
    tools.map((text, index) => (index > 0 && text !== tools[index - 1] ? 'tools' : null)),
  )
}
