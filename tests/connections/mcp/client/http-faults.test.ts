import type { Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { VirtualWorkspace } from 'loadout'
import { mcpServer, type McpServerOptions } from 'loadout/mcp'
import { aSkill, available, aWorkspace, history } from '../../../workspace/a-workspace.ts'
import {
  type Answer,
  FAILED_STATUSES,
  plainServer,
  TOOLS,
  UNATTACHED_OVER_HTTP,
} from './server-faults.ts'

const opened: VirtualWorkspace[] = []
const listening: Server[] = []

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close()
  for (const server of listening.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function aServer(answer: Answer, tools?: readonly object[]): Promise<string> {
  const { server, url } = await plainServer(answer, tools)
  listening.push(server)
  return url
}

/** The limits are for servers that never answer. A busy machine may need long for those that do. */
async function attached(url: string, more: Partial<McpServerOptions> = {}, timeoutMs = 120_000) {
  const workspace = await aWorkspace({}, { limits: { timeoutMs } })
  opened.push(workspace)
  const server = mcpServer({
    name: 's',
    url,
    revision: '2025-11-25',
    connectTimeoutMs: timeoutMs,
    ...more,
  })
  return { workspace, outcome: await workspace.attach(server) }
}

test.each(FAILED_STATUSES)(
  'a call that is answered with $status fails with $type',
  async ({ status, type }) => {
    const url = await aServer((method, response) => {
      if (method === 'tools/call') response.writeHead(status).end()
      return method === 'tools/call'
    })
    const { workspace } = await attached(url)
    expect(await workspace.callTool('s_good', {})).toMatchObject({ ok: false, error: { type } })
  },
)

test.each(UNATTACHED_OVER_HTTP)(
  'a server that $what is not attached: $stage',
  async ({ status, stage }) => {
    const url = await aServer((_, response) => {
      if (status !== null) response.writeHead(status).end()
      return true
    })
    const { outcome } = await attached(url, {}, status === null ? 1_500 : undefined)
    expect(outcome).toMatchObject({ ok: false, code: 'server-failed', facts: { stage } })
  },
)

test('an address where nobody listens is not attached', async () => {
  const { outcome, workspace } = await attached('http://127.0.0.1:9/mcp')
  expect(outcome).toMatchObject({ ok: false, facts: { stage: 'SERVER_NOT_CONNECTED' } })
  expect(available(workspace)).toEqual([])
})

test.each([
  { method: 'initialize', status: 401, stage: 'SERVER_AUTH' },
  { method: 'initialize', status: 500, stage: 'SERVER_NOT_CONNECTED' },
  { method: 'tools/list', status: 503, stage: 'SERVER_NOT_CONNECTED' },
])(
  '10 activations with a server that answers $method with $status change nothing: $stage',
  async ({ method, status, stage }) => {
    let isFailing = true
    const url = await aServer((asked, response) => {
      if (!isFailing || asked !== method) return false
      response.writeHead(status).end()
      return true
    })
    const terms = { name: 's', url, revision: '2025-11-25', connectTimeoutMs: 30_000 } as const
    const workspace = await aWorkspace({
      skills: [aSkill('k', { servers: ['s'] })],
      servers: [mcpServer(terms)],
    })
    opened.push(workspace)
    for (let round = 0; round < 10; round += 1) {
      const outcome = await workspace.activateSkill('k')
      expect(outcome).toMatchObject({ ok: false, facts: { server: 's', stage } })
      expect([available(workspace), workspace.state.open]).toEqual([[], []])
    }
    expect(await history(workspace, 1)).toEqual(
      Array.from({ length: 10 }, () => 'activation.failed k'),
    )
    isFailing = false
    expect(await workspace.activateSkill('k')).toMatchObject({ ok: true })
    expect(available(workspace)).toEqual(['k_tool', 's_good'])
  },
)

test('a call of a session that the server no longer knows is made in a new one', async () => {
  let sessions = 0
  let calls = 0
  const url = await aServer((method, response) => {
    if (method === 'initialize') sessions += 1
    if (method === 'tools/call') calls += 1
    const isUnknown = method === 'tools/call' && calls === 1
    if (isUnknown) response.writeHead(404).end()
    return isUnknown
  })
  const { workspace } = await attached(url)
  expect(await workspace.callTool('s_good', {})).toMatchObject({ ok: true, data: 'good' })
  expect([sessions, calls]).toEqual([2, 2])
})

test('a call that is never answered ends at its limit', async () => {
  const url = await aServer((method) => method === 'tools/call')
  const { workspace } = await attached(url, { connectTimeoutMs: 120_000 }, 1_500)
  const result = await workspace.callTool('s_good', {})
  expect(result).toMatchObject({ ok: false, error: { type: 'TIMEOUT' } })
})

const LONG = 'x'.repeat(10_485_761)

test.each([
  { form: 'application/json', text: LONG },
  { form: 'text/event-stream', text: `data: ${LONG}` },
  { form: 'text/event-stream', text: 'data: x\r\n'.repeat(1_200_000) },
])('a message over 10 MB as $form ends the call and the connection', async ({ form, text }) => {
  let sessions = 0
  const url = await aServer((method, response) => {
    if (method === 'initialize') sessions += 1
    if (method !== 'tools/call' || sessions > 1) return false
    response.writeHead(200, { 'content-type': form }).write(text)
    return true
  })
  const { workspace } = await attached(url)
  const result = await workspace.callTool('s_good', {})
  const message = expect.stringContaining('a message over 10 MB') as string
  const error = { type: 'PERMANENT', retryable: false, message }
  expect(result).toMatchObject({ ok: false, error })
  expect(workspace.explain('s_good').health).toMatchObject({ status: 'cut', problem: message })
  expect(await workspace.callTool('s_good', {})).toMatchObject({ ok: true, data: 'good' })
  expect(sessions).toBe(2)
})

test('a server with a list of tools over 10 MB is not attached', async () => {
  const url = await aServer((method, response) => {
    if (method === 'tools/list') {
      response.writeHead(200, { 'content-type': 'application/json' }).write(LONG)
    }
    return method === 'tools/list'
  })
  const { outcome } = await attached(url)
  expect(outcome).toMatchObject({ ok: false, facts: { stage: 'SERVER_FLOODS' } })
})

test('a stream of events may have more than 10 MB', async () => {
  const event = `event: message\r\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(3_000_000) } })}\r\n\r\n`
  const url = await aServer((method, response) => {
    if (method !== 'tools/call') return false
    const result = { content: [{ type: 'text', text: 'good' }] }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      `${event.repeat(5)}data: ${JSON.stringify({ jsonrpc: '2.0', id: 2, result })}\r\n\r\n`,
    )
    return true
  })
  const { workspace } = await attached(url)
  expect(await workspace.callTool('s_good', {})).toMatchObject({ ok: true, data: 'good' })
})

test('headers and the token of the host are sent, and are in no hash', async () => {
  const sent = new Set<unknown>()
  const url = await aServer((_, __, { headers }) => {
    sent.add(`${headers.authorization} ${String(headers['x-key'])}`)
    return false
  })
  const options = { headers: { 'x-key': 'k' }, authProvider: { token: async () => 't' } }
  await attached(url, options)
  expect([...sent]).toEqual(['Bearer t k'])
  const hashes = ['k', 'other'].map(
    (key) => mcpServer({ name: 's', url, headers: { 'x-key': key } }).hash,
  )
  expect(hashes[0]).toBe(hashes[1])
})

test('a page with 200,000 tools that are not valid has the valid one', async () => {
  const tools = [...Array.from({ length: 200_000 }, () => ({})), ...TOOLS]
  const url = await aServer(() => false, tools)
  const { workspace, outcome } = await attached(url)
  expect(outcome).toMatchObject({ ok: true })
  expect(available(workspace)).toContain('s_good')
})

test('a changed list with slow pages is given up at the limit, and the next one is read', async () => {
  const tools = [...TOOLS]
  let page = 0
  const url = await aServer((method, response, _, { id, params }) => {
    if (method === 'tools/call') {
      const changed = { method: 'notifications/tools/list_changed' }
      const answer = { id, result: { content: [{ type: 'text', text: 'good' }] } }
      const events = [changed, answer].map((one) => JSON.stringify({ jsonrpc: '2.0', ...one }))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(events.map((event) => `data: ${event}\n\n`).join(''))
      return true
    }
    const isSlow = tools.length === 2 || params?.cursor !== undefined
    if (method !== 'tools/list' || !isSlow) return false
    page += 1
    const result = { tools, nextCursor: String(page) }
    const send = () => response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    response.writeHead(200, { 'content-type': 'application/json' })
    setTimeout(send, 1_500)
    return true
  }, tools)
  const { workspace } = await attached(url, { connectTimeoutMs: 2_500 })
  tools.push({ name: 'second', inputSchema: { type: 'object' } })
  await workspace.callTool('s_good', {})
  await expect.poll(() => page).toBeGreaterThan(0)
  tools.push({ name: 'third', inputSchema: { type: 'object' } })
  await workspace.callTool('s_good', {})
  // All pages of the slow list would take longer than this waits.
  await expect.poll(() => available(workspace)).toEqual(['s_good', 's_second', 's_third'])
})
