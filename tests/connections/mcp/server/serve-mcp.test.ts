import { expect, test } from 'vitest'
import { createCatalog, defineTool } from '../../../../src/entries/index.ts'
import { createMemoryLog } from '../../../../src/workspace/log/memory-log.ts'
import { connected, endpointFor, type Revision, shopCatalog, textsOf } from './served.ts'

const BOTH: readonly Revision[] = ['2025-11-25', '2026-07-28']

const FIXED = ['call_tool', 'loadSkill', 'loadSkillFile', 'loadTool', 'tool_search', 'unloadSkill']

/** The handle of the session that a result names; undefined for a client with a session of its own. */
function handleOf(result: { readonly _meta?: object | undefined }): { session?: string } {
  const { 'loadout/session': session } = (result._meta ?? {}) as Record<string, unknown>
  return typeof session === 'string' ? { session } : {}
}

test.each(BOTH)(
  '%s: a client lists, searches, loads a skill and calls its tool',
  async (revision) => {
    const log = createMemoryLog()
    const endpoint = await endpointFor({ workspace: { catalog: await shopCatalog(), log } })
    const client = await connected(endpoint, revision)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(FIXED)
    expect(client.getInstructions()).toContain('refunds')

    const found = await client.callTool({
      name: 'tool_search',
      arguments: { query: 'look up an order' },
    })
    expect(textsOf(found)[0]).toContain('look_up')
    const session = handleOf(found)
    const loaded = await client.callTool({
      name: 'loadSkill',
      arguments: { skillName: 'refunds', ...session },
    })
    expect(textsOf(loaded).join('\n')).toContain(
      '- `look_up`: Look an order up.\n  - order: string',
    )
    const called = await client.callTool({
      name: 'call_tool',
      arguments: { name: 'look_up', arguments: { order: '7' }, ...session },
    })
    expect(textsOf(called)[0]).toBe('{"state":"paid"}')
    expect((await client.listTools()).tools).toEqual(tools)

    const [summary] = await log.list()
    const entries = await log.read(summary?.session ?? '')
    const calls = entries.flatMap(({ event }) => (event.type === 'call.started' ? event.tool : []))
    expect(calls).toEqual(['tool_search', 'loadSkill', 'look_up'])
    expect(entries.some(({ event }) => event.type === 'source.opened')).toBe(true)
  },
)

test.each(BOTH)('%s: a refusal is an error of the tool with its reason', async (revision) => {
  const endpoint = await endpointFor({
    workspace: {
      catalog: await shopCatalog(),
      policy: { permissions: { deny: ['loadSkill'] } },
    },
  })
  const client = await connected(endpoint, revision)
  const refused = await client.callTool({ name: 'loadSkill', arguments: { skillName: 'refunds' } })
  expect(refused).toMatchObject({
    isError: true,
    _meta: { 'loadout/error': { code: 'denied', type: 'DENIED', retryable: false } },
  })
  await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({
    code: -32602,
  })
})

test.each(BOTH.flatMap((revision) => ['once', 'deny'].map((decision) => ({ revision, decision }))))(
  '$revision: a call that asks first is asked about at the client, answer $decision',
  async ({ revision, decision }) => {
    const endpoint = await endpointFor({ workspace: { catalog: await shopCatalog() } })
    const asked: string[] = []
    const client = await connected(endpoint, revision, {
      answer(message) {
        asked.push(message)
        return { action: 'accept', content: { decision } }
      },
    })
    const loaded = await client.callTool({
      name: 'loadSkill',
      arguments: { skillName: 'refunds' },
    })
    const refund = () =>
      client.callTool({
        name: 'call_tool',
        arguments: { name: 'refund', arguments: { order: '7' }, ...handleOf(loaded) },
      })
    const result = await refund()
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('refund')
    if (decision === 'once') {
      expect(textsOf(result)).toEqual(['refunded 7'])
      await refund()
      expect(asked).toHaveLength(2)
    } else expect(result).toMatchObject({ isError: true })
  },
)

test('without a form at the client, a call that asks first is refused with the reason', async () => {
  const endpoint = await endpointFor({ workspace: { catalog: await shopCatalog() } })
  const client = await connected(endpoint, '2025-11-25')
  await client.callTool({ name: 'loadSkill', arguments: { skillName: 'refunds' } })
  const input = { name: 'refund', arguments: { order: '7' } }
  expect(await client.callTool({ name: 'call_tool', arguments: input })).toMatchObject({
    isError: true,
    _meta: { 'loadout/error': { code: 'confirmation-required' } },
  })
})

test('live: activation changes the list and notifies, and the tool is called by its name', async () => {
  const endpoint = await endpointFor({ workspace: { catalog: await shopCatalog() }, mode: 'live' })
  const client = await connected(endpoint, '2025-11-25')
  const changed = Promise.withResolvers<void>()
  client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve())
  const names = async () => (await client.listTools()).tools.map(({ name }) => name)
  expect(await names()).not.toContain('look_up')
  await client.callTool({ name: 'loadSkill', arguments: { skillName: 'refunds' } })
  await changed.promise
  expect(await names()).toContain('look_up')
  expect(await client.callTool({ name: 'look_up', arguments: { order: '7' } })).toMatchObject({
    structuredContent: { state: 'paid' },
  })
  await client.callTool({ name: 'unloadSkill', arguments: { skillName: 'refunds' } })
  expect(await client.callTool({ name: 'look_up', arguments: { order: '7' } })).toMatchObject({
    isError: true,
    _meta: { 'loadout/error': { code: 'skill-inactive' } },
  })
})

test('a handle is of one principal, and a forged one is refused', async () => {
  const endpoint = await endpointFor({
    workspace: { catalog: await shopCatalog() },
    authenticate: ({ headers }) => {
      const id = headers.get('authorization')
      return id === null ? null : { id }
    },
  })
  const ada = await connected(endpoint, '2026-07-28', { headers: { authorization: 'ada' } })
  const bob = await connected(endpoint, '2026-07-28', { headers: { authorization: 'bob' } })
  const { session = '' } = handleOf(
    await ada.callTool({ name: 'loadSkill', arguments: { skillName: 'refunds' } }),
  )
  const lookUp = { name: 'look_up', arguments: { order: '7' } }
  const call = (client: typeof ada, handle: string) =>
    client.callTool({ name: 'call_tool', arguments: { ...lookUp, session: handle } })
  expect(textsOf(await call(ada, session))[0]).toBe('{"state":"paid"}')
  for (const [client, handle] of [
    [bob, session],
    [ada, 'f'.repeat(32)],
  ] as const) {
    await expect(call(client, handle)).rejects.toMatchObject({ code: -32602 })
  }
  await expect(connected(endpoint, '2025-11-25')).rejects.toThrow(/401|unauthorized/iu)
})

test.each([
  ['Host', { host: 'evil.example' }],
  ['Origin', { origin: 'http://evil.example' }],
])('a request with a foreign %s is refused', async (_, headers) => {
  const endpoint = await endpointFor({ workspace: { catalog: await shopCatalog() } })
  const all = { host: 'localhost', 'content-type': 'application/json', ...headers }
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: all as Record<string, string>,
    body: '{}',
  })
  expect((await endpoint.fetch(request)).status).toBe(403)
})

test('a session of a client is opened again from the log', async () => {
  const log = createMemoryLog()
  const catalog = await shopCatalog()
  const first = await endpointFor({ workspace: { catalog, log } })
  const before = await connected(first, '2026-07-28')
  const { session } = handleOf(
    await before.callTool({ name: 'loadSkill', arguments: { skillName: 'refunds' } }),
  )
  await first.close()
  const after = await connected(await endpointFor({ workspace: { catalog, log } }), '2026-07-28')
  const input = { name: 'look_up', arguments: { order: '7' }, session }
  expect(textsOf(await after.callTool({ name: 'call_tool', arguments: input }))[0]).toBe(
    '{"state":"paid"}',
  )
})

test.each(BOTH)('%s: a call that the client gives up is aborted', async (revision) => {
  const aborted = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const slow = defineTool({
    name: 'slow',
    description: 'Waits.',
    category: 'utility',
    inputSchema: { type: 'object' },
    execute: (_, { signal }) => {
      started.resolve()
      return new Promise<string>((resolve) => {
        signal.addEventListener('abort', () => {
          aborted.resolve()
          resolve('')
        })
      })
    },
  })
  const endpoint = await endpointFor({
    workspace: { catalog: await createCatalog({ tools: [slow] }) },
  })
  const client = await connected(endpoint, revision)
  const controller = new AbortController()
  const call = client.callTool({ name: 'slow', arguments: {} }, { signal: controller.signal })
  await started.promise
  controller.abort()
  await expect(call).rejects.toThrow(/abort/iu)
  await aborted.promise
})

test('a new catalog reaches open sessions, and clients are notified', async () => {
  const endpoint = await endpointFor({
    workspace: { catalog: await shopCatalog() },
    changes: true,
  })
  const client = await connected(endpoint, '2025-11-25')
  const changed = Promise.withResolvers<void>()
  client.setNotificationHandler('notifications/prompts/list_changed', () => changed.resolve())
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['refunds'])
  await endpoint.takeCatalog(await createCatalog({}))
  await changed.promise
  expect((await client.listPrompts()).prompts).toEqual([])
})
