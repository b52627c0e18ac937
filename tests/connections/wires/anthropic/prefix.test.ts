import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages/messages'
import type { VirtualWorkspace } from 'loadout'
import { forAnthropic } from 'loadout/anthropic'
import { expect, test } from 'vitest'
import { compareBodies } from '../../../wires/compare/compare-bodies.ts'
import type { WireRequest } from '../../../wires/server/open-wire-server.ts'
import { officeCatalog, scripted } from '../wire-sessions/office-session.ts'
import { MODEL, openModel, openStore } from './a-model.ts'

async function openOffice(exposure?: 'append' | 'deferred'): Promise<VirtualWorkspace> {
  const catalog = await officeCatalog()
  return openStore([], { catalog, agent: undefined as never, ...(exposure && { exposure }) })
}

/** Returns a member of each body as JSON without cache breakpoints and the closing bracket. */
function textsOf(requests: readonly WireRequest[], member: string): readonly string[] {
  return requests.map(({ body }) =>
    JSON.stringify(body[member], (name, value: unknown) =>
      name === 'cache_control' ? undefined : value,
    ).slice(0, -1),
  )
}

async function costsOf(workspace: VirtualWorkspace) {
  return (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'step.begun' ? { strategy: event.strategy, ...event.cost } : [],
  )
}

/** Compares each body with the one before, and the ledger with the result. */
async function expectSameChanges(
  workspace: VirtualWorkspace,
  requests: readonly WireRequest[],
): Promise<readonly (string | null)[]> {
  const recorded = requests.map(({ body, wire }, index) => {
    const before = requests[index - 1]
    return before ? (compareBodies(wire, before.body, body).changed?.segment ?? null) : null
  })
  const logged = (await costsOf(workspace)).map(({ changed }) => changed?.segment ?? null)
  expect(logged).toEqual(recorded)
  return recorded
}

test('over 20 steps with activations and departures, tools are the same bytes and earlier messages a prefix', async () => {
  const workspace = await openOffice()
  const { client, server } = await openModel(scripted)
  const anthropic = forAnthropic(workspace, { model: MODEL.model })
  const messages: BetaMessageParam[] = []
  for (const content of ['One.', 'Two.', 'Three.']) {
    messages.push({ role: 'user', content })
    expect((await anthropic.run(client, { messages, max_tokens: 99 })).status).toBe('done')
  }
  const { requests, violations } = server
  expect(violations).toEqual([])
  expect(requests).toHaveLength(20)
  const tools = requests.map(({ bytes }) => /"tools":(\[.*?\]),"messages"/u.exec(`${bytes}`)?.[1])
  expect(new Set(tools).size).toBe(1)
  expect(tools[0]).toContain('loadSkill')
  const sent = textsOf(requests, 'messages')
  expect(sent.every((text, at) => at === 0 || text.startsWith(sent[at - 1] ?? '-'))).toBe(true)
  expect(new Set(textsOf(requests, 'system')).size).toBe(1)
  const costs = await costsOf(workspace)
  expect(costs.map(({ strategy }) => strategy)).toEqual(Array(20).fill('conversation'))
  expect(costs.map(({ lost }) => lost)).toEqual(Array(20).fill(0))
  expect(await expectSameChanges(workspace, requests)).toEqual(Array(20).fill(null))
})

test('a tool that left is removed in the conversation, and comes back by reference', async () => {
  const workspace = await openOffice()
  const { client, server } = await openModel(scripted)
  const messages: BetaMessageParam[] = [{ role: 'user', content: 'One.' }]
  const anthropic = forAnthropic(workspace, { model: MODEL.model })
  await anthropic.run(client, { messages, max_tokens: 99 })
  messages.push({ role: 'user', content: 'Two.' })
  await anthropic.run(client, { messages, max_tokens: 99 })
  const last = server.requests.at(-1)?.body['messages'] as BetaMessageParam[]
  const changes = last.flatMap(({ content, role }) =>
    role === 'system' && typeof content === 'object' ? content : [],
  )
  expect(
    changes.map((block) => {
      if (block.type !== 'tool_addition' && block.type !== 'tool_removal') return block.type
      const { tool } = block
      const name = tool.type === 'tool_reference' ? tool.name : ''
      return [block.type, tool.type, name].join(' ').trim()
    }),
  ).toEqual([
    'tool_addition tool_definition',
    'tool_addition tool_definition',
    'tool_addition tool_definition',
    'tool_removal tool_reference use_letters',
    'tool_addition tool_definition',
    'tool_removal tool_reference use_stamps',
    'tool_addition tool_reference use_letters',
  ])
  const refused = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'command.refused' ? `${event.subject} ${event.code}` : [],
  )
  expect(refused).toEqual(['use_letters skill-inactive'])
})

test.each([
  { title: 'beta, an unknown model, deferred', api: 'beta', exposure: undefined },
  { title: 'stable, deferred', api: 'stable', exposure: undefined },
  { title: 'beta, append', api: 'beta', exposure: 'append' },
  { title: 'stable, append', api: 'stable', exposure: 'append' },
] as const)('$title: the ledger names the first change of each request', async (row) => {
  const workspace = await openOffice(row.exposure)
  const { client, server } = await openModel(scripted)
  for (const content of ['One.']) {
    const messages: MessageParam[] = [{ role: 'user', content }]
    const run =
      row.api === 'stable'
        ? forAnthropic(workspace, { api: 'stable' }).run(client, { ...MODEL, messages })
        : forAnthropic(workspace).run(client, { ...MODEL, messages })
    expect((await run).status).toBe('done')
  }
  expect(server.violations).toEqual([])
  const changes = await expectSameChanges(workspace, server.requests)
  const expected = row.exposure === 'append' ? ['tools', null] : [null]
  expect(new Set(changes)).toEqual(new Set(expected))
})

test('a host that shortens its history loses the prefix, in the ledger as on the wire', async () => {
  const workspace = await openOffice()
  const { client, server } = await openModel(scripted)
  const anthropic = forAnthropic(workspace, { model: MODEL.model })
  const messages: BetaMessageParam[] = [{ role: 'user', content: 'One.' }]
  await anthropic.run(client, { messages, max_tokens: 99 })
  const shortened: BetaMessageParam[] = [
    ...messages.slice(0, 1),
    ...messages.slice(-1),
    { role: 'user', content: 'Two.' },
  ]
  await anthropic.run(client, { messages: shortened, max_tokens: 99, maxSteps: 1 })
  expect(server.violations).toEqual([])
  const changes = await expectSameChanges(workspace, server.requests)
  expect(changes.at(-1)).toBe('conversation')
})
