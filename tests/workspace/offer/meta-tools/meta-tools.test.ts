import { expect, test } from 'vitest'
import {
  aSearchingWorkspace,
  aTool,
  events,
  modelCall,
  search,
  sent,
} from '../discovery/a-searching-workspace.ts'

const BRIDGE = { exposure: 'bridge' } as const

const through = (name: unknown, given?: unknown) =>
  given === undefined ? { name } : { name, arguments: given }

test('the tools of a request never change, and what is found is called through one of them', async () => {
  const workspace = await aSearchingWorkspace(BRIDGE)
  const before = await sent(workspace)
  expect(before).toContain('call_tool')
  const page = await search(workspace, 'find the hero image')
  expect(page.instruction).toContain('Call these by call_tool.')
  const input = through('cms_findImage', { slug: 'home' })
  expect(await modelCall(workspace, 'call_tool', input)).toMatchObject({ ok: true })
  expect(await sent(workspace)).toEqual(before)
})

test('its envelope and its entries are those of the tool it names', async () => {
  const workspace = await aSearchingWorkspace(BRIDGE)
  const from = workspace.state.seq + 1
  const response = await workspace.callTool('call_tool', through('weather_today', {}), {
    caller: 'model',
    call: 'c7',
  })
  expect(response).toMatchObject({
    ok: true,
    data: { ran: 'weather_today' },
    meta: { tool: 'weather_today', call: 'c7' },
  })
  expect(await events(workspace, from)).toEqual(['call.started', 'call.ended'])
  const [started] = await workspace.entries(from)
  expect(started).toMatchObject({
    cause: { by: 'model', call: 'c7' },
    event: { tool: 'weather_today', category: 'retrieval' },
  })
})

test('a call through it counts once, and as what it is', async () => {
  const workspace = await aSearchingWorkspace({
    ...BRIDGE,
    policy: { callsPerTurn: { retrieval: 1 } },
  })
  const call = () => modelCall(workspace, 'call_tool', through('weather_today', {}))
  expect(await call()).toMatchObject({ ok: true })
  expect(workspace.state.callsThisTurn).toEqual({ retrieval: 1, action: 0, utility: 0 })
  expect(workspace.state.used.map(({ tool }) => tool)).toEqual(['weather_today'])
  expect(await call()).toMatchObject({ error: { type: 'BUDGET_EXCEEDED' } })
})

test.each([
  { why: 'denied', tool: 'weather_today', type: 'DENIED', code: 'denied' },
  {
    why: 'of a skill that nobody found',
    tool: 'cms_createPage',
    type: 'UNAVAILABLE',
    code: 'skill-inactive',
  },
  { why: 'unknown', tool: 'wether_today', type: 'NOT_FOUND', code: 'unknown' },
])('a tool that is $why is refused by the same gate', async ({ tool, type, code }) => {
  const workspace = await aSearchingWorkspace({
    ...BRIDGE,
    policy: { permissions: { deny: ['weather_today'] } },
  })
  const response = await modelCall(workspace, 'call_tool', through(tool, {}))
  expect(response).toMatchObject({ error: { type, details: { code } }, meta: { tool } })
})

test('a confirmation is asked for, and one approval lets the same call run once', async () => {
  const workspace = await aSearchingWorkspace({
    ...BRIDGE,
    policy: { permissions: { ask: ['weather_*'] } },
  })
  const call = () => modelCall(workspace, 'call_tool', through('weather_today', { slug: 'oslo' }))
  expect(await call()).toMatchObject({ error: { type: 'CONFIRMATION_REQUIRED' } })
  const [asked] = workspace.state.confirmations
  expect(asked?.tool).toBe('weather_today')
  await workspace.approve(asked?.id ?? '', { by: 'user' })
  expect(await call()).toMatchObject({ ok: true })
  expect(await call()).toMatchObject({ error: { type: 'CONFIRMATION_REQUIRED' } })
})

test('arguments are checked by the schema of the tool it names', async () => {
  const workspace = await aSearchingWorkspace(BRIDGE)
  const response = await modelCall(workspace, 'call_tool', through('weather_today', { town: 'x' }))
  expect(response).toMatchObject({ error: { type: 'VALIDATION' }, meta: { tool: 'weather_today' } })
})

test.each<[string, unknown, unknown]>([
  ['an object', { slug: 'home' }, { slug: 'home' }],
  [
    'nested JSON',
    { deep: { list: [1, null, { a: 'b' }] } },
    { deep: { list: [1, null, { a: 'b' }] } },
  ],
  ['JSON text', '{"slug":"home"}', { slug: 'home' }],
  ['nothing', undefined, {}],
  ['null', null, {}],
  [
    'names that break look-ups',
    JSON.parse('{"__proto__":1,"toString":2}'),
    JSON.parse('{"__proto__":1,"toString":2}'),
  ],
])('arguments may be %s', async (_, given, got) => {
  const echo = aTool('echo', {
    inputSchema: { type: 'object', additionalProperties: true },
    execute: (input: unknown) => JSON.stringify(input),
  } as never)
  const workspace = await aSearchingWorkspace(BRIDGE, { tools: [echo] })
  expect(await modelCall(workspace, 'call_tool', through('echo', given))).toMatchObject({
    data: JSON.stringify(got),
  })
})

test.each<[string, unknown]>([
  ['no name', { arguments: {} }],
  ['an empty name', through('', {})],
  ['a name that is no text', through(7, {})],
  ['a list for arguments', through('weather_today', [1])],
  ['a number for arguments', through('weather_today', 7)],
  ['arguments next to it', { name: 'weather_today', slug: 'x' }],
  ['text that is no JSON', through('weather_today', '{"slug":')],
  ['nothing at all', undefined],
  ['a text', 'weather_today'],
])('with %s it is refused for its own arguments, and nothing runs', async (_, input) => {
  const workspace = await aSearchingWorkspace(BRIDGE)
  expect(await modelCall(workspace, 'call_tool', input)).toMatchObject({
    error: { type: 'VALIDATION', details: { code: 'input-invalid' } },
    meta: { tool: 'call_tool' },
  })
})

test.each(['call_tool', 'loadout/call_tool', 'global:loadout/call_tool'])(
  'a call of itself, as %s, is refused',
  async (name) => {
    const workspace = await aSearchingWorkspace(BRIDGE)
    for (const inner of [through('weather_today', {}), {}]) {
      expect(await modelCall(workspace, 'call_tool', through(name, inner))).toMatchObject({
        error: { type: 'VALIDATION', details: { code: 'nested-call' } },
      })
    }
  },
)

test('other meta-tools are called through it like any tool', async () => {
  const workspace = await aSearchingWorkspace(BRIDGE)
  const input = through('tool_search', { query: 'weather of a city' })
  expect(await modelCall(workspace, 'call_tool', input)).toMatchObject({
    data: { tools: [{ name: 'weather_today' }] },
    meta: { tool: 'tool_search' },
  })
})

test('where it is not offered, its name is that of no tool', async () => {
  const workspace = await aSearchingWorkspace()
  expect(await modelCall(workspace, 'call_tool', through('weather_today', {}))).toMatchObject({
    error: { type: 'NOT_FOUND' },
  })
})

test('switched off, it calls nothing', async () => {
  const workspace = await aSearchingWorkspace(BRIDGE)
  await workspace.setToolEnabled('call_tool', false)
  expect(await modelCall(workspace, 'call_tool', through('weather_today', {}))).toMatchObject({
    error: { details: { code: 'disabled' } },
    meta: { tool: 'call_tool' },
  })
})

test('a tool of the host that goes by its name is called as itself', async () => {
  const own = aTool('call_tool', {
    execute: () => 'mine',
    inputSchema: { type: 'object' },
  } as never)
  const workspace = await aSearchingWorkspace({ metaTools: ['tool_search'] }, { tools: [own] })
  expect(await modelCall(workspace, 'call_tool', {})).toMatchObject({ data: 'mine' })
})
