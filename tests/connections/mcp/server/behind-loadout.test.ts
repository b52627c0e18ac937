import { createMemoryLog } from 'loadout'
import { behindLoadout, type BehindOptions } from 'loadout/mcp'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { type McpServer, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aFileServer, callWith, fileClient, httpClient } from './a-file-server.ts'

const VERSIONS = [
  { server: 1, client: 1 },
  { server: 1, client: 2 },
  { server: 2, client: 1 },
  { server: 2, client: 2 },
] as const

const accept = (decision: string) => () => ({ action: 'accept', content: { decision } })

describe.each(VERSIONS)('a server of SDK $server with a client of SDK $client', (sdk) => {
  async function behind(options: BehindOptions = {}, answer?: (message: string) => object) {
    const files = aFileServer(sdk.server)
    const gate = await behindLoadout(files.server, options)
    onTestFinished(() => gate.close())
    const { client, got } = await fileClient(sdk.client, files, answer)
    return { ...files, ...gate, client, got }
  }
  const write = { name: 'write_file', arguments: { path: '/a' } }

  test('sends the same bytes as without a workspace', async () => {
    const traffic = async (isGated: boolean) => {
      const files = aFileServer(sdk.server)
      if (isGated) onTestFinished((await behindLoadout(files.server)).close)
      const { client, got } = await fileClient(sdk.client, files)
      const listed = await client.listTools()
      expect(listed.tools.map(({ name }) => name).slice(0, 3)).toEqual([
        'write_file',
        'stat',
        'delete_file',
      ])
      await client.callTool(write)
      await client.callTool({ name: 'stat', arguments: { path: '/a' } })
      await client.callTool({ name: 'fail', arguments: {} })
      await client.callTool({ name: 'stat', arguments: { path: 7 } }).catch(() => undefined)
      await client.callTool({ ...write, arguments: { path: '/a', further: true } })
      await client.readResource({ uri: 'file:///readme' })
      expect(files.ran).toEqual(['write_file', 'stat', 'fail', 'write_file'])
      return got
    }
    expect(await traffic(true)).toEqual(await traffic(false))
  })

  test('has no tools and no instructions of Loadout', async () => {
    const { client, workspace } = await behind()
    expect(client.getInstructions()).toBe('Paths are absolute.')
    const { tools } = await client.listTools()
    expect(
      workspace
        .tools()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(tools.map(({ name }) => name).sort())
    await expect(client.callTool({ name: 'loadSkill', arguments: {} })).rejects.toThrow('not found')
  })

  test('does not list a tool that a rule denies, and refuses its call with the reason', async () => {
    const { client, ran, workspace } = await behind({ permissions: { deny: ['delete_*'] } })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('delete_file')
    expect(tools).toHaveLength(5)
    const called = await client.callTool({ name: 'delete_file', arguments: { path: '/a' } })
    expect(called.isError).toBe(true)
    expect(called._meta).toMatchObject({ 'loadout/error': { code: 'denied' } })
    expect(ran).toEqual([])
    expect(workspace.explain('delete_file').status).toBe('denied')
    expect(workspace.explain('write_file').status).toBe('available')
  })

  const ask: BehindOptions = { permissions: { ask: [{ tool: 'write_file' }] } }

  test('runs a call that the person at the client allows, once or for the session', async () => {
    const asked: string[] = []
    const decisions = ['once', 'session']
    const { client, ran } = await behind(ask, (message) => {
      asked.push(message)
      return accept(decisions.shift() ?? 'deny')()
    })
    for (let call = 0; call < 3; call += 1) {
      expect(await client.callTool(write)).toMatchObject({ content: [{ text: 'wrote /a' }] })
    }
    expect(asked).toHaveLength(2)
    expect(asked[0]).toContain('write_file with {"path":"/a"}')
    expect(ran).toHaveLength(3)
  })

  test.each([accept('deny'), () => ({ action: 'decline' })])(
    'refuses a call that the person denies',
    async (answer) => {
      const { client, ran } = await behind(ask, answer)
      const called = await client.callTool(write)
      expect(called.isError).toBe(true)
      expect(called._meta).toMatchObject({ 'loadout/error': { code: 'confirmation-denied' } })
      expect(ran).toEqual([])
    },
  )

  test('leaves a question open that the client cannot show, and someone else answers it', async () => {
    const { client, ran, workspace } = await behind(ask)
    const called = await client.callTool(write)
    const code = 'confirmation-required'
    expect(called._meta).toMatchObject({ 'loadout/error': { code } })
    const [question] = workspace.state.confirmations
    await workspace.approve(question?.id ?? '', { by: 'user' })
    expect(await client.callTool(write)).toMatchObject({ content: [{ text: 'wrote /a' }] })
    expect(ran).toEqual(['write_file'])
  })

  test('asks because of a hint only where a rule says so', async () => {
    const { client } = await behind({ permissions: { ask: [{ risk: 'destructive' }] } })
    expect((await client.callTool(write)).isError).toBe(true)
    const stat = await client.callTool({ name: 'stat', arguments: { path: '/a' } })
    expect(stat).toMatchObject({ structuredContent: { size: 3 } })
  })

  test('judges arguments before the server reads them', async () => {
    const rule = { tool: 'write_file', where: { path: '/etc/*' } }
    const { client, ran } = await behind({ permissions: { deny: [rule] } })
    const called = await client.callTool({ ...write, arguments: { path: '/etc/passwd' } })
    expect(called.isError).toBe(true)
    await client.callTool(write)
    expect(ran).toEqual(['write_file'])
  })

  test('hears of changed folders, and sends progress', async () => {
    const { client, roots, aborted } = await behind()
    await client.sendRootsListChanged()
    const aborting = new AbortController()
    const progress = Promise.withResolvers<unknown>()
    const options = { onprogress: progress.resolve, signal: aborting.signal }
    const call = callWith(client, 'wait', options)
    call.catch(() => undefined)
    expect(await progress.promise).toMatchObject({ progress: 1 })
    aborting.abort('enough')
    await expect(call).rejects.toThrow('enough')
    await aborted
    expect(roots).toEqual(['changed'])
  })

  test('logs each call, and those that were cancelled or failed', async () => {
    const log = createMemoryLog()
    const { client, workspace, aborted } = await behind({ log, session: 'mine' })
    await client.callTool(write)
    await client.callTool({ name: 'fail', arguments: {} })
    const aborting = new AbortController()
    const onprogress = () => aborting.abort('enough')
    const call = callWith(client, 'wait', { onprogress, signal: aborting.signal })
    await expect(call).rejects.toThrow('enough')
    await aborted
    await workspace.close()
    const entries = await log.read('mine', 0)
    const ended = entries.flatMap(({ event }) =>
      event.type === 'call.ended' ? [[event.tool, event.error]] : [],
    )
    expect(ended).toEqual([
      ['write_file', null],
      ['fail', 'PERMANENT'],
      ['wait', 'ABORTED'],
    ])
  })

  test('lists a tool that is registered later, and gates it', async () => {
    const { client, register, ran, workspace, got } = await behind({
      permissions: { deny: ['bad*'] },
    })
    await client.listTools()
    const { remove } = register('late', { description: 'Comes late.' })
    register('bad', { description: 'Is never allowed.' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('late')
    expect(tools.map(({ name }) => name)).not.toContain('bad')
    expect(got.join()).toContain('notifications/tools/list_changed')
    await client.callTool({ name: 'late', arguments: {} })
    expect((await client.callTool({ name: 'bad', arguments: {} })).isError).toBe(true)
    expect(ran).toEqual(['late'])
    remove()
    await client.listTools()
    expect(workspace.explain('late').status).toBe('unknown')
  })

  test('notifies the client when a rule denies another tool', async () => {
    const { client, workspace, got } = await behind()
    await workspace.setPermissions({ deny: ['stat'] })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('stat')
    expect(got.filter((one) => one.includes('tools/list_changed'))).toHaveLength(1)
  })

  test('hides secrets in results', async () => {
    const { client } = await behind({ redact: { secrets: ['sk-live-0123456789'] } })
    const called = await client.callTool({ name: 'show_key', arguments: {} })
    expect(called).toMatchObject({ content: [{ text: 'The key is [redacted]' }] })
  })

  test('keeps limits of calls', async () => {
    const { client, ran } = await behind({ callsPerTurn: { action: 1 } })
    await client.callTool(write)
    const second = await client.callTool(write)
    expect(second._meta).toMatchObject({ 'loadout/error': { code: 'budget-spent' } })
    expect(ran).toHaveLength(1)
  })

  test('stands at a server that is connected already, and at its next connection', async () => {
    const files = aFileServer(sdk.server)
    const first = await fileClient(sdk.client, files)
    const { close } = await behindLoadout(files.server, { permissions: { deny: ['stat'] } })
    onTestFinished(close)
    const stat = { name: 'stat', arguments: { path: '/a' } }
    expect((await first.client.callTool(stat)).isError).toBe(true)
    await first.client.close()
    const second = await fileClient(sdk.client, files)
    expect((await second.client.callTool(stat)).isError).toBe(true)
    expect(files.ran).toEqual([])
  })

  test('gates tools with the names of meta-tools, and with letters that no workspace has', async () => {
    const files = aFileServer(sdk.server)
    files.register('loadSkill')
    files.register('a.b')
    const gate = await behindLoadout(files.server, { permissions: { deny: ['loadSkill'] } })
    onTestFinished(() => gate.close())
    const { client } = await fileClient(sdk.client, files)
    expect((await client.callTool({ name: 'loadSkill', arguments: {} })).isError).toBe(true)
    const called = await client.callTool({ name: 'a.b', arguments: {} })
    expect(called).toMatchObject({ content: [{ text: 'a.b' }] })
    expect(files.ran).toEqual(['a.b'])
  })

  test('asks over HTTP on the stream of the call', async () => {
    const files = aFileServer(sdk.server)
    const gate = await behindLoadout(files.server, ask)
    onTestFinished(() => gate.close())
    const client = await httpClient(sdk, files, accept('once'))
    expect(await client.callTool(write)).toMatchObject({ content: [{ text: 'wrote /a' }] })
    expect((await client.listTools()).tools).toHaveLength(6)
  })

  test('refuses calls after its end', async () => {
    const { client, close, ran } = await behind()
    await close()
    const called = await client.callTool(write)
    expect(called._meta).toMatchObject({ 'loadout/error': { code: 'WORKSPACE_CLOSED' } })
    expect(ran).toEqual([])
  })
})

describe('a client of 2026-07-28', () => {
  async function modern(options: BehindOptions, answer?: (message: string) => object) {
    const files = aFileServer(2)
    const gate = await behindLoadout(files.server, options)
    onTestFinished(() => gate.close())
    const capabilities = answer === undefined ? {} : { elicitation: { form: {} } }
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { capabilities, versionNegotiation: { mode: 'auto' } },
    )
    if (answer !== undefined) {
      client.setRequestHandler(
        'elicitation/create',
        ({ params }) => answer(params.message) as never,
      )
    }
    const [near, far] = InMemoryTransport.createLinkedPair()
    const handle = serveStdio(() => files.server as McpServer, { transport: far as never })
    onTestFinished(() => handle.close())
    await client.connect(near)
    onTestFinished(() => client.close())
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    return { ...files, ...gate, client }
  }
  const write = { name: 'write_file', arguments: { path: '/a' } }
  const permissions = { deny: ['delete_*'], ask: ['write_file'] }

  test('gets the list without the tools that a rule denies', async () => {
    const { client, ran } = await modern({ permissions })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('delete_file')
    expect(tools).toHaveLength(5)
    const stat = await client.callTool({ name: 'stat', arguments: { path: '/a' } })
    expect(stat).toMatchObject({ structuredContent: { size: 3 } })
    const called = await client.callTool({ name: 'delete_file', arguments: { path: '/a' } })
    expect(called.isError).toBe(true)
    expect((await client.callTool(write)).isError).toBe(true)
    expect(ran).toEqual(['stat'])
  })

  test('is asked with the result of a call, and makes it again with the answer', async () => {
    const decisions = ['once', 'deny']
    const { client, ran } = await modern({ permissions }, () => accept(decisions.shift() ?? '')())
    expect(await client.callTool(write)).toMatchObject({ content: [{ text: 'wrote /a' }] })
    expect((await client.callTool(write)).isError).toBe(true)
    expect(ran).toEqual(['write_file'])
  })
})

test('a server without McpServer is gated over all pages of its list, and what it does not list never runs', async () => {
  const ran: string[] = []
  const server = new Server({ name: 'low', version: '1.0.0' }, { capabilities: { tools: {} } })
  const inputSchema = { type: 'object' as const }
  const pages = [[{ name: 'one', inputSchema }], [{ name: 'two', inputSchema }]]
  server.setRequestHandler('tools/list', ({ params }) => {
    const at = Number(params?.cursor ?? 0)
    return { tools: pages[at] ?? [], ...(at === 0 && { nextCursor: '1' }) }
  })
  server.setRequestHandler('tools/call', ({ params: { name } }) => {
    ran.push(name)
    return { content: [] }
  })
  const { workspace, close } = await behindLoadout(server, { permissions: { deny: ['two'] } })
  onTestFinished(close)
  expect(workspace.explain('two').status).toBe('denied')
  const { client } = await fileClient(2, { server: server as never })
  expect((await client.callTool({ name: 'two', arguments: {} })).isError).toBe(true)
  await expect(client.callTool({ name: 'hidden', arguments: {} })).rejects.toThrow('not found')
  await client.callTool({ name: 'one', arguments: {} })
  pages[0]?.push({ name: 'late', inputSchema })
  await client.callTool({ name: 'late', arguments: {} })
  expect(ran).toEqual(['one', 'late'])
})
