import { createMemoryLog, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool, available, aWorkspace } from '../a-workspace.ts'
import { MemoryServer } from './a-server.ts'

const LIST = aTool('tracker_list')
const LABEL = aTool('tracker_label')
const CLOSE = aTool('tracker_close')

const issues = aSkill('issues', { servers: ['tracker'] })

/** A session whose server dropped two of the tools in its stored listing, as its first call found out. */
async function aSession(options: Parameters<typeof aWorkspace>[1] = {}) {
  const server = new MemoryServer('tracker', [LIST, LABEL, CLOSE], { stored: true })
  const workspace = await aWorkspace({ skills: [issues], servers: [server] }, options)
  await workspace.activateSkill('issues')
  server.tools = server.tools.slice(0, 1)
  expect(await workspace.callTool('tracker_list', {})).toMatchObject({ ok: true })
  return { server, workspace }
}

function statuses(workspace: VirtualWorkspace): Readonly<Record<string, string>> {
  return Object.fromEntries(workspace.tools().map(({ name, status }) => [name, status]))
}

test('a tool that its running server dropped is listed as gone, next to the others of its server', async () => {
  const { workspace } = await aSession()
  expect(statuses(workspace)).toEqual({
    issues_tool: 'available',
    tracker_list: 'available',
    tracker_label: 'gone',
    tracker_close: 'gone',
  })
  for (const { name, status, source, owner } of workspace.tools()) {
    expect(workspace.explain(name)).toMatchObject({ status, source, owner })
  }
  expect(workspace.tools()[2]).toEqual({
    name: 'tracker_label',
    source: 'server',
    owner: 'tracker',
    status: 'gone',
    asks: false,
    tool: undefined,
  })
})

test('a gone tool is not said to be another name of itself or of a tool that is gone, too', async () => {
  const { workspace } = await aSession()
  for (const name of ['tracker_label', 'tracker_close']) {
    const { status, fix, nearest } = workspace.explain(name)
    expect([status, nearest]).toEqual(['gone', ['tracker_list']])
    expect(fix).not.toContain(name)
  }
  expect(workspace.explain('tracker_labels').nearest).not.toContain('tracker_label')
})

test('the row of a gone tool stays the same object until the tool is back', async () => {
  const { server, workspace } = await aSession()
  const before = workspace.tools()
  await workspace.beginStep()
  await workspace.callTool('issues_tool', {})
  expect(before[2]).toMatchObject({ name: 'tracker_label', status: 'gone' })
  expect(workspace.tools()[2]).toBe(before[2])
  server.change([LIST, LABEL])
  await expect.poll(() => statuses(workspace)).toMatchObject({ tracker_label: 'available' })
  expect(workspace.tools().find(({ name }) => name === 'tracker_close')).toBe(before[3])
})

test('a gone tool has no row once another owner has its name, and none when its owner left', async () => {
  const { workspace } = await aSession()
  expect(statuses(workspace)['tracker_label']).toBe('gone')
  await workspace.registerTool(aTool('tracker_label', { description: 'Of the host.' }))
  expect(statuses(workspace)['tracker_label']).toBe('available')
  expect(workspace.tools().filter(({ name }) => name === 'tracker_label')).toHaveLength(1)
  await workspace.deactivateSkill('issues')
  expect(Object.values(statuses(workspace))).not.toContain('gone')
  expect(workspace.explain('tracker_close').status).toBe('skill-inactive')
})

test('of two owners that had a name, the list names the one that explain names', async () => {
  const workspace = await aWorkspace({})
  for (const name of ['first', 'second']) {
    const server = new MemoryServer(name, [LIST, LABEL], { trusted: true })
    await workspace.attach(server)
    expect(statuses(workspace)['tracker_label']).toBe('available')
    server.change([LIST])
    await expect.poll(() => statuses(workspace)['tracker_label']).toBe('gone')
  }
  const listed = workspace.tools().filter(({ name }) => name === 'tracker_label')
  expect(listed).toMatchObject([{ owner: 'second', status: 'gone' }])
  expect(workspace.explain('tracker_label')).toMatchObject({ owner: 'second' })
  await workspace.detach('second')
  const { owner, status } = workspace.explain('tracker_label')
  expect([owner, status]).toEqual(['second', 'gone'])
  expect(workspace.tools().filter(({ name }) => name === 'tracker_label')).toEqual([])
})

test('nothing gone reaches a model, and it counts as gone in the words of every list', async () => {
  const { workspace } = await aSession({ discovery: {}, metaTools: ['tool_search', 'loadTool'] })
  const step = await workspace.beginStep()
  const found = await workspace.callTool('tool_search', { query: 'label' }, { caller: 'model' })
  const seen = JSON.stringify([step, workspace.prompt().text, found])
  expect(seen).toContain('tracker_list')
  expect(seen).not.toMatch(/tracker_(?:label|close)/v)
  expect(available(workspace)).not.toContain('tracker_label')
  const loaded = await workspace.callTool('loadTool', { toolName: 'tracker_label' })
  expect(loaded).toMatchObject({ ok: false, error: { type: 'NOT_FOUND' } })
})

test('a tool of a server says that its listing is an earlier one, while the server is not connected', async () => {
  const log = createMemoryLog()
  const server = new MemoryServer('tracker', [LIST], { stored: true })
  const workspace = await aWorkspace({ skills: [issues], servers: [server] }, { log, session: 's' })
  const texts = (of: VirtualWorkspace) => of.explain('tracker_list').because.map(({ text }) => text)
  await workspace.activateSkill('issues')
  const unconnected =
    'The server "tracker" is not connected: its tools are those of an earlier listing until a call connects it.'
  expect(texts(workspace)).toEqual([
    'It was registered as a tool of the server "tracker" along with "issues".',
    unconnected,
  ])
  await workspace.callTool('tracker_list', {})
  expect(texts(workspace)).not.toContain(unconnected)
  server.lose()
  const cut = 'The connection to the server "tracker" was cut'
  expect(texts(workspace)).toContainEqual(expect.stringContaining(cut))
  await workspace.close()
  const { catalog } = workspace
  const again = await VirtualWorkspace.open({ catalog, log, session: 's', metaTools: [] })
  expect(texts(again)).toContain(unconnected)
  expect(server.open).toBe(0)
  await again.close()
  const view = await VirtualWorkspace.open({ catalog, log, session: 's', readOnly: true })
  expect(texts(view)).toHaveLength(1)
})

test('tools that a host registers for a server of its own have no connection to speak of', async () => {
  const workspace = await aWorkspace({})
  await workspace.syncTools('shop', [aTool('shop_open')])
  expect(workspace.explain('shop_open').because).toHaveLength(1)
})

test('a log that is only read has the same rows', async () => {
  const log = createMemoryLog()
  const { workspace } = await aSession({ log, session: 's' })
  const live = workspace.tools().map(({ name, status }) => `${name} ${status}`)
  await workspace.close()
  const view = await VirtualWorkspace.open({
    catalog: workspace.catalog,
    log,
    session: 's',
    readOnly: true,
    metaTools: [],
  })
  expect(view.tools().map(({ name, status }) => `${name} ${status}`)).toEqual(live)
})
