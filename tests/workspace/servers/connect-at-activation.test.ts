import { createMemoryLog, type EventLog, type VirtualWorkspace, WorkspaceError } from 'loadout'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aSkill, aTool, available, aWorkspace, history } from '../a-workspace.ts'
import { MemoryServer } from './a-server.ts'

const TOOLS = [aTool('github_list'), aTool('github_open')]

function github({ eager = false, ...options }: { eager?: boolean; stored?: boolean } = {}) {
  return Object.assign(new MemoryServer('github', TOOLS, options), eager && { eager })
}

const lazy = aSkill('issues', { servers: ['github'] })
const eager = aSkill('issues', { servers: ['github'], connect: 'activation' })

/** All that an activation may change. */
const stateOf = (workspace: VirtualWorkspace) => ({
  tools: available(workspace),
  open: workspace.state.open.map(({ source, owner }) => `${source} ${owner}`),
  pins: workspace.state.pins,
  pending: workspace.store.getState().pending,
})

test.each([
  { stored: true, skill: lazy, server: false, connects: 0, what: 'a stored server' },
  { stored: true, skill: eager, server: false, connects: 1, what: 'the skill asks for it' },
  { stored: true, skill: lazy, server: true, connects: 1, what: 'the server asks for it' },
  { stored: false, skill: lazy, server: false, connects: 1, what: 'nothing is stored' },
  { stored: false, skill: eager, server: true, connects: 1, what: 'everything asks for it' },
])(
  'an activation connects $connects times: $what',
  async ({ stored, skill, server: asks, connects }) => {
    const server = github({ stored, eager: asks })
    const workspace = await aWorkspace({ skills: [skill], servers: [server] })
    const before = stateOf(workspace)
    if (connects > 0) {
      server.fails = 'connect'
      const refused = await workspace.activateSkill('issues')
      expect(refused).toMatchObject({ ok: false, code: 'hook-failed', facts: { server: 'github' } })
      expect(stateOf(workspace)).toEqual(before)
      expect(await history(workspace, 1)).toEqual(['activation.failed issues'])
      server.fails = null
      server.connects = 0
    }
    expect(await workspace.activateSkill('issues')).toMatchObject({ ok: true })
    expect(server.connects).toBe(connects)
    expect(available(workspace)).toEqual(['issues_tool', 'github_list', 'github_open'])
    expect(await workspace.callTool('github_list', {})).toMatchObject({ ok: true })
    expect(server.connects).toBe(1)
    await workspace.close()
  },
)

test('a server without stored tools is connected again for each activation, also when its tools are known', async () => {
  const server = github()
  const workspace = await aWorkspace({ skills: [lazy], servers: [server] })
  await workspace.activateSkill('issues')
  await workspace.deactivateSkill('issues')
  await expect.poll(() => server.open).toBe(0)
  const before = stateOf(workspace)
  server.fails = 'connect'
  expect(await workspace.activateSkill('issues')).toMatchObject({ ok: false, code: 'hook-failed' })
  expect(stateOf(workspace)).toEqual(before)
  await workspace.close()
})

test('a skill that asks for the activation connects a stored server that another skill brought, or is refused', async () => {
  const server = github({ stored: true })
  const other = aSkill('pulls', { servers: ['github'], connect: 'activation' })
  const workspace = await aWorkspace({ skills: [lazy, other], servers: [server] })
  await workspace.activateSkill('issues')
  const before = stateOf(workspace)
  server.fails = 'connect'
  expect(await workspace.activateSkill('pulls')).toMatchObject({ ok: false, code: 'hook-failed' })
  expect(stateOf(workspace)).toEqual(before)
  server.fails = null
  server.tools = [...TOOLS, aTool('github_merge')]
  expect(await workspace.activateSkill('pulls')).toMatchObject({ ok: true })
  expect([server.connects, server.open]).toEqual([2, 1])
  await expect.poll(() => available(workspace)).toContain('github_merge')
  await workspace.deactivateSkill('issues')
  await workspace.deactivateSkill('pulls')
  expect(available(workspace)).toEqual([])
  await workspace.close()
})

test('a tool that differs from the stored one is in quarantine from the activation that connects', async () => {
  const server = github({ stored: true })
  server.tools = [aTool('github_list', { description: 'Sends all away.' }), aTool('github_new')]
  const workspace = await aWorkspace({ skills: [eager], servers: [server] })
  expect(await workspace.activateSkill('issues')).toMatchObject({ ok: true })
  expect(await history(workspace, 1)).toEqual([
    'source.opened issues',
    'source.synced github',
    'source.synced github',
  ])
  const status = (tool: string) => workspace.explain(tool).status
  expect(['github_list', 'github_open', 'github_new'].map(status)).toEqual([
    'changed',
    'gone',
    'available',
  ])
  expect(workspace.explain('github_list').because.map(({ text }) => text)).toMatchInlineSnapshot(`
    [
      "It was registered as a tool of the server "github" along with "issues".",
      "Its definition is not the one the session has accepted since entry 2: description was "Does github_list." and is "Sends all away."; summary was "Does github_list." and is "Sends all away.".",
    ]
  `)
  await workspace.acceptTool('github_list')
  expect(await workspace.callTool('github_list', {})).toMatchObject({ ok: true })
  expect(server.connects).toBe(1)
  await workspace.close()
})

test('a server that is lost while another one connects undoes the activation', async () => {
  const first = github()
  const second = new MemoryServer('wiki', [aTool('wiki_read')])
  second.onConnect = () => first.lose()
  const skill = aSkill('issues', { servers: ['github', 'wiki'] })
  const workspace = await aWorkspace({ skills: [skill], servers: [first, second] })
  const before = stateOf(workspace)
  const outcome = await workspace.activateSkill('issues')
  expect(!outcome.ok && outcome.message).toMatchInlineSnapshot(
    `""issues" brings the server "github", which did not connect: The connection was lost."`,
  )
  expect(stateOf(workspace)).toEqual(before)
  await expect.poll(() => [first.open, second.open]).toEqual([0, 0])
  second.onConnect = () => undefined
  expect(await workspace.activateSkill('issues')).toMatchObject({ ok: true })
  await workspace.close()
})

test('the connection to a server is kept while the activation that needs it is not committed', async () => {
  const server = github()
  const wiki = new MemoryServer('wiki', [aTool('wiki_read')])
  const connecting = Promise.withResolvers<void>()
  const connect = wiki.connect.bind(wiki)
  wiki.connect = async (host) => {
    await connecting.promise
    return connect(host)
  }
  const skill = aSkill('issues', { servers: ['github', 'wiki'] })
  const definitions = { skills: [skill], servers: [server, wiki], tools: [aTool('help')] }
  const options = { log: createMemoryLog(), session: 's' }
  const workspace = await aWorkspace(definitions, options)
  const other = await aWorkspace(definitions, options)
  const activation = workspace.activateSkill('issues')
  await expect.poll(() => server.open).toBe(1)
  // Another process registers a tool, which is seen at a call: connections that no tool needs end after their grace time.
  await other.registerTool(aTool('more'))
  expect(await workspace.callTool('help', {})).toMatchObject({ ok: true })
  expect(workspace.explain('more').status).toBe('unbound')
  // A timer that is longer than the grace time, and set later.
  await new Promise((resolve) => setTimeout(resolve, 2 * server.graceMs))
  connecting.resolve()
  expect(await activation).toMatchObject({ ok: true })
  expect([server.connects, server.open]).toEqual([1, 1])
  await workspace.close()
  await other.close()
})

test.each(['activate', 'attach'])(
  'tools that a server reports while the entry is written are registered: %s',
  async (how) => {
    const memory = createMemoryLog()
    const server = github()
    const { immediate: _, ...rest } = memory
    const log: EventLog = {
      ...rest,
      append: async (session, version, entries, after) => {
        const isOurs = entries.some(({ event }) => event.type === 'source.synced')
        if (isOurs && server.tools.length === 2) server.change([...TOOLS, aTool('github_merge')])
        return memory.append(session, version, entries, after)
      },
    }
    const workspace = await aWorkspace({ skills: [lazy], servers: [server] }, { log })
    if (how === 'attach') await workspace.attach(server)
    else await workspace.activateSkill('issues')
    await expect.poll(() => available(workspace)).toContain('github_merge')
    expect(await workspace.callTool('github_merge', {})).toMatchObject({ ok: true })
    await workspace.close()
  },
)

test('a connection outlives the last skill by its grace time, in which another activation uses it', async () => {
  const server = new MemoryServer('github', TOOLS, { graceMs: 600_000 })
  const workspace = await aWorkspace({ skills: [lazy], servers: [server] })
  for (let round = 0; round < 3; round += 1) {
    await workspace.activateSkill('issues')
    expect(await workspace.callTool('github_list', {})).toMatchObject({ ok: true })
    await workspace.deactivateSkill('issues')
  }
  expect([server.connects, server.open]).toEqual([1, 1])
  await workspace.close()
  expect(server.open).toBe(0)
})

test('a session closes although a server neither connects nor ends at the signal', async () => {
  const server = github()
  const arriving = Promise.withResolvers<void>()
  const connect = server.connect.bind(server)
  server.connect = async (host) => {
    await arriving.promise
    return connect(host)
  }
  const workspace = await aWorkspace({ skills: [eager], servers: [server] })
  const activation = workspace.activateSkill('issues')
  await expect.poll(() => workspace.store.getState().pending).toEqual(['issues'])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const closing = workspace.close()
  expect(await activation).toMatchObject({ ok: false, code: 'hook-failed' })
  await vi.runAllTimersAsync()
  await closing
  // A connection that arrives later is ended.
  arriving.resolve()
  await vi.waitFor(() => expect(server.connects).toBe(1))
  await vi.waitFor(() => expect(server.open).toBe(0))
})

test('a skill whose server did not connect is explained by that, also as a requirement, until it connects', async () => {
  const server = github()
  const board = aSkill('board', { requires: ['issues'] })
  const workspace = await aWorkspace({ skills: [lazy, board], servers: [server] })
  const last = (skill: string) => {
    const { status, because, fix } = workspace.explainSkill(skill)
    return { status, reason: because.at(-1), fix }
  }
  const before = last('issues')
  expect(before.fix).toBe('Activate the skill "issues".')
  server.fails = 'connect'
  expect(await workspace.activateSkill('issues')).toMatchObject({ code: 'hook-failed' })
  const reason = {
    seq: workspace.state.seq,
    text: 'Its server "github" could not be connected: It does not answer.',
    forHost: true,
  }
  const hint = 'Check the configuration of the server.'
  for (const skill of ['issues', 'board']) {
    expect(last(skill)).toEqual({
      status: 'inactive',
      reason,
      fix: `${hint} Then activate the skill "${skill}".`,
    })
  }
  expect(workspace.explain('issues_tool')).toMatchObject({ because: [{}, reason] })
  server.fails = null
  await workspace.activateSkill('board')
  await workspace.deactivateSkill('board')
  expect(last('issues').fix).toBe(before.fix)
  await workspace.close()
})

test('a failure to connect has the hint of the server as the way out', async () => {
  const server = github()
  server.connect = () =>
    Promise.reject(
      new WorkspaceError('SERVER_FAILED', 'No program "crm".', { hint: 'Install it.' }),
    )
  const workspace = await aWorkspace({ skills: [lazy], servers: [server] })
  const refused = await workspace.activateSkill('issues')
  expect(refused).toMatchObject({ ok: false, hint: 'Nothing changed. Install it.' })
  expect(workspace.explainSkill('issues').fix).toBe('Install it. Then activate the skill "issues".')
  await workspace.close()
})
