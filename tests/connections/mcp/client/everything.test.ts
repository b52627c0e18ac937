import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { VirtualWorkspace, WorkspaceOptions } from 'loadout'
import { mcpServer, type McpServerOptions } from 'loadout/mcp'
import { available, aWorkspace, history } from '../../../workspace/a-workspace.ts'

const PROGRAM = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'

const opened: VirtualWorkspace[] = []
const started: ChildProcess[] = []

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close()
  for (const server of started.splice(0)) server.kill('SIGKILL')
})

async function aSession(options: Omit<WorkspaceOptions, 'catalog'> = {}) {
  const workspace = await aWorkspace({}, options)
  opened.push(workspace)
  return workspace
}

const onPipes = (more: Partial<McpServerOptions> = {}) =>
  mcpServer({ name: 'everything', command: process.execPath, args: [PROGRAM, 'stdio'], ...more })

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts the server, and resolves when it listens. */
async function serve(port: number): Promise<ChildProcess> {
  const server = spawn(process.execPath, [PROGRAM, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  started.push(server)
  for await (const chunk of server.stderr) if (String(chunk).includes(String(port))) break
  return server
}

const ARGUMENTS: Readonly<Record<string, object>> = {
  echo: { message: 'hello' },
  'get-annotated-message': { messageType: 'success', includeImage: true },
  'get-env': {},
  'get-resource-links': { count: 2 },
  'get-resource-reference': { resourceType: 'Text', resourceId: 1 },
  'get-structured-content': { location: 'Chicago' },
  'get-sum': { a: 2, b: 40 },
  'get-tiny-image': {},
  'gzip-file-as-resource': { name: 'a.gz', data: 'data:text/plain,hello' },
  'toggle-simulated-logging': {},
  'toggle-subscriber-updates': {},
  'trigger-long-running-operation': { duration: 0.1, steps: 2 },
  'get-roots-list': {},
  'trigger-elicitation-request': {},
  'trigger-url-elicitation': { url: 'https://example.org/' },
  'trigger-sampling-request': { prompt: 'Hello?' },
}

test.each(['standard input and output', 'HTTP'])(
  'every tool of a server over %s is called, and it asks the person, the model and for folders',
  async (transport) => {
    const asked: unknown[] = []
    const progress: unknown[] = []
    const workspace = await aSession({
      onProgress: ({ fraction }) => void progress.push(fraction),
      client: {
        elicit: async (question) => {
          asked.push('url' in question ? question.url : question.message)
          return { action: 'accept', content: { name: 'Ann' } }
        },
        sample: async ({ messages }) => {
          asked.push(messages[0]?.content)
          return { model: 'small', content: { type: 'text', text: 'Yes.' } }
        },
      },
    })
    const more = { roots: ['/srv/project'], sampling: { maxCalls: 1, maxTokens: 50 } }
    const port = await freePort()
    if (transport === 'HTTP') await serve(port)
    const url = `http://127.0.0.1:${port}/mcp`
    const server =
      transport === 'HTTP' ? mcpServer({ name: 'everything', url, ...more }) : onPipes(more)
    expect(await workspace.attach(server)).toMatchObject({ ok: true })
    // The server has more tools when it knows what its client can do.
    await expect.poll(() => available(workspace).length).toBe(Object.keys(ARGUMENTS).length)
    const failed: unknown[] = []
    for (const [name, input] of Object.entries(ARGUMENTS)) {
      const result = await workspace.callTool(`everything_${name}`, input)
      if (!result.ok) failed.push([name, result.error])
    }
    expect(failed).toEqual([])
    expect(asked).toEqual([
      'Please provide inputs for the following fields:',
      'https://example.org/',
      { type: 'text', text: expect.stringContaining('Hello?') },
    ])
    expect(progress.length).toBeGreaterThan(0)
    const image = await workspace.callTool('everything_get-tiny-image', {})
    expect(image.ok && image.content?.map(({ type }) => type)).toEqual(['text', 'image', 'text'])
    const weather = await workspace.callTool(
      'everything_get-structured-content',
      ARGUMENTS['get-structured-content'],
    )
    expect(weather).toMatchObject({ ok: true, data: { humidity: 82 } })
    const folders = await workspace.callTool('everything_get-roots-list', {})
    expect(folders.ok && folders.data).toContain('file:///srv/project')
    // The budget is spent.
    const again = await workspace.callTool('everything_trigger-sampling-request', {
      prompt: 'Again?',
    })
    expect(again).toMatchObject({ ok: false, error: { type: 'PERMANENT' } })
  },
)

test('the tools of a server are attached in one entry, checked before a call, and detached in one entry', async () => {
  const workspace = await aSession()
  expect(await workspace.attach(onPipes())).toMatchObject({ ok: true })
  expect((await history(workspace, 1)).slice(0, 1)).toEqual(['source.synced everything'])
  expect(workspace.explain('everything_echo')).toMatchObject({
    source: 'server',
    owner: 'everything',
  })
  expect(await workspace.callTool('everything_echo', {})).toMatchObject({
    ok: false,
    error: { type: 'VALIDATION' },
  })
  const last = workspace.state.seq
  expect(await workspace.detach('everything')).toMatchObject({ ok: true })
  expect(await history(workspace, last + 1)).toEqual(['source.closed everything'])
  expect(available(workspace)).toEqual([])
  const gone = await workspace.callTool('everything_echo', { message: 'hello' })
  expect(gone).toMatchObject({ ok: false, error: { details: { code: 'gone' } } })
})

test('a question without anyone to ask is declined, and a model without a budget is not asked', async () => {
  const workspace = await aSession()
  await workspace.attach(onPipes())
  await expect.poll(() => available(workspace)).toContain('everything_trigger-elicitation-request')
  const declined = await workspace.callTool('everything_trigger-elicitation-request', {})
  expect(declined.ok && declined.data).toContain('declined')
  expect(available(workspace)).not.toContain('everything_trigger-sampling-request')
  expect(available(workspace)).not.toContain('everything_get-roots-list')
})

test('an abort ends a call, and the server is still there', async () => {
  const workspace = await aSession()
  await workspace.attach(onPipes())
  const abort = new AbortController()
  const call = workspace.callTool(
    'everything_trigger-long-running-operation',
    { duration: 60, steps: 600 },
    { signal: abort.signal },
  )
  await expect.poll(async () => (await workspace.entries()).at(-1)?.event.type).toBe('call.started')
  abort.abort(new Error('No longer wanted.'))
  expect(await call).toMatchObject({ ok: false, error: { type: 'ABORTED' } })
  expect(await workspace.callTool('everything_get-sum', { a: 1, b: 1 })).toMatchObject({ ok: true })
})

test('an HTTP server that was killed and is back answers the next call, in a new session', async () => {
  const workspace = await aSession({ limits: { timeoutMs: 5_000 } })
  const port = await freePort()
  const first = await serve(port)
  const url = `http://127.0.0.1:${port}/mcp`
  expect(await workspace.attach(mcpServer({ name: 'everything', url }))).toMatchObject({ ok: true })
  const sum = () => workspace.callTool('everything_get-sum', { a: 1, b: 1 })
  expect(await sum()).toMatchObject({ ok: true })
  first.kill('SIGKILL')
  await once(first, 'exit')
  expect(await sum()).toMatchObject({ ok: false, error: { type: 'TRANSIENT' } })
  await serve(port)
  expect(await sum()).toMatchObject({ ok: true })
})

test('tools that are not wanted are not offered, and a prefix may be empty', async () => {
  const workspace = await aSession()
  await workspace.attach(onPipes({ tools: ['get-*'], prefix: '' }))
  expect(available(workspace)).toContain('get-sum')
  expect(available(workspace)).not.toContain('echo')
})
