import type { Server } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import type { VirtualWorkspace } from 'loadout'
import { mcpServer, type McpServerOptions } from 'loadout/mcp'
import { aWorkspace } from '../../../workspace/a-workspace.ts'
import { type Answer, hostile, plainServer } from './server-faults.ts'

const opened: VirtualWorkspace[] = []
const listening: Server[] = []

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close()
  for (const server of listening.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const TOOLS = ['list', 'other'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
}))

/** A session with a server whose calls are answered by `answer`. */
async function attached(
  answer: Answer,
  terms: Partial<McpServerOptions> = {},
  options: Parameters<typeof aWorkspace>[1] = {},
) {
  const onCall: Answer = (method, ...rest) => method === 'tools/call' && answer(method, ...rest)
  const { server, url } = await plainServer(onCall, TOOLS)
  listening.push(server)
  const workspace = await aWorkspace({}, { limits: { timeoutMs: 120_000 }, ...options })
  opened.push(workspace)
  const basis = { name: 's', url, trusted: true, revision: '2025-11-25' } as const
  expect(await workspace.attach(mcpServer({ ...basis, ...terms }))).toMatchObject({ ok: true })
  return workspace
}

const answering =
  (result: object): Answer =>
  (_, response, __, { id }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    return true
  }

const DATA = { projects: ['alpha', 'beta'] }
const SUMMARY = { type: 'text', text: 'returned 2 item(s).' }
const JSON_TEXT = { type: 'text', text: JSON.stringify(DATA) }
const IMAGE = { type: 'image', mimeType: 'image/png', data: 'aGk=' }

/** What a model reads of a call, as text, and the warnings in the log about it. */
async function readBy(workspace: VirtualWorkspace, tool = 's_list') {
  const result = await workspace.callTool(tool, {}, { caller: 'model', call: tool })
  if (!result.ok) throw new Error(result.error.message)
  const texts = (result.content ?? []).map((part) => ('text' in part ? part.text : part.type))
  const ends = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'call.ended' ? [event] : [],
  )
  return { read: texts, data: result.data, warnings: ends.at(-1)?.warnings }
}

test.each<{
  read?: McpServerOptions['read']
  content: readonly object[]
  texts: readonly string[]
}>([
  { content: [SUMMARY], texts: [SUMMARY.text] },
  { read: 'text', content: [SUMMARY], texts: [SUMMARY.text] },
  { read: 'structured', content: [SUMMARY], texts: [] },
  { read: 'both', content: [SUMMARY], texts: [SUMMARY.text, JSON_TEXT.text] },
  { content: [JSON_TEXT], texts: [JSON_TEXT.text] },
  { read: 'both', content: [JSON_TEXT], texts: [JSON_TEXT.text] },
  { read: 'structured', content: [SUMMARY, IMAGE], texts: [JSON_TEXT.text, 'image'] },
  { read: 'both', content: [SUMMARY, IMAGE], texts: [SUMMARY.text, 'image', JSON_TEXT.text] },
  { read: 'text', content: [], texts: [] },
  { content: [{ type: 'text', text: '' }], texts: [] },
])(
  'of a result with data, read as $read, a model reads $texts',
  async ({ read, content, texts }) => {
    const answer = answering({ content, structuredContent: DATA })
    const workspace = await attached(answer, read && { read })
    const seen = await readBy(workspace)
    expect([seen.read, seen.data]).toEqual([texts, DATA])
    const isUnread = read === undefined && content[0] === SUMMARY
    expect(seen.warnings?.join('') ?? '').toMatch(isUnread ? /structured content/u : /^$/u)
  },
)

test('what is read of a result can be chosen for some tools of a server', async () => {
  const answer = answering({ content: [SUMMARY], structuredContent: DATA })
  const workspace = await attached(answer, { read: 'text', terms: { 'l*': { read: 'both' } } })
  expect((await readBy(workspace)).read).toEqual([SUMMARY.text, JSON_TEXT.text])
  expect((await readBy(workspace, 's_other')).read).toEqual([SUMMARY.text])
})

test('the time at which a server takes calls again stays in the failure, and nothing is tried before', async () => {
  let calls = 0
  const workspace = await attached((_, response) => {
    calls += 1
    response.writeHead(429, { 'retry-after': '120' }).end('slow down')
    return true
  })
  expect(await workspace.callTool('s_list', {})).toMatchObject({
    ok: false,
    error: { type: 'RATE_LIMIT', retryable: true, details: { status: 429, retryAfterMs: 120_000 } },
  })
  expect(calls).toBe(1)
})

test.each([
  { status: 503, after: '0', type: 'TRANSIENT', waitMs: 0 },
  { status: 429, after: new Date(0).toUTCString(), type: 'RATE_LIMIT', waitMs: 0 },
  { status: 429, after: 'soon', type: 'RATE_LIMIT', waitMs: undefined },
  { status: 503, after: '', type: 'TRANSIENT', waitMs: undefined },
])(
  'Retry-After "$after" of a $status is read as $waitMs ms',
  async ({ status, after, type, waitMs }) => {
    const workspace = await attached(
      (_, response) => {
        response.writeHead(status, { 'retry-after': after }).end()
        return true
      },
      {},
      { limits: { timeoutMs: 120_000, retries: 0 } },
    )
    const result = await workspace.callTool('s_list', {})
    expect(result).toMatchObject({ ok: false, error: { type } })
    expect(!result.ok && result.error.details['retryAfterMs']).toBe(waitMs)
  },
)

test.each([
  { form: 'plain', encoding: {}, text: 'x'.repeat(3_000) },
  { form: 'gzip', encoding: { 'content-encoding': 'gzip' }, text: gzipSync('x'.repeat(9_000_000)) },
])(
  'a $form message over the limit of its server says so, and is not to be repeated',
  async (one) => {
    const { text, encoding } = one
    let calls = 0
    const answer: Answer = (method, response, request, message) => {
      calls += 1
      if (calls > 1) return answering({ content: [SUMMARY] })(method, response, request, message)
      response.writeHead(200, { 'content-type': 'application/json', ...encoding }).end(text)
      return true
    }
    const workspace = await attached(answer, { maxMessageBytes: 2_048 })
    const message = expect.stringContaining('a message over 2 kB') as string
    expect(await workspace.callTool('s_list', {})).toMatchObject({
      ok: false,
      error: { type: 'PERMANENT', message, retryable: false, details: { code: 'SERVER_FLOODS' } },
    })
    expect(await workspace.callTool('s_list', {})).toMatchObject({ ok: true })
  },
)

test('a message over the limit of a program says so', async () => {
  const workspace = await aWorkspace({})
  opened.push(workspace)
  await workspace.attach(hostile('result-too-large', { maxMessageBytes: 1_000_000 }))
  expect(await workspace.callTool('h_good', {})).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('wrote a message over 976.6 kB'), retryable: false },
  })
})

test('a server may ask a person as often in a call as its terms say', async () => {
  const asked: string[] = []
  const elicit = async ({ message }: { readonly message: string }) => {
    asked.push(message)
    return { action: 'accept' as const, content: {} }
  }
  for (const [maxQuestions, answer] of [
    [1, /accept/u],
    [0, /over 0 questions in a call/u],
  ] as const) {
    const workspace = await aWorkspace({}, { client: { elicit } })
    opened.push(workspace)
    await workspace.attach(hostile('asks-the-person', { terms: { good: { maxQuestions } } }))
    for (const _ of [1, 2]) {
      const result = await workspace.callTool('h_good', {})
      expect(result.ok && result.data).toMatch(answer)
    }
  }
  expect(asked).toEqual(['Your password?', 'Your password?'])
})

test.each<{ options: Partial<McpServerOptions>; option: string }>([
  { options: { timeoutMs: 0 }, option: 'timeoutMs' },
  { options: { renewOnProgress: {} as { upToMs: number } }, option: 'renewOnProgress.upToMs' },
  { options: { read: 'all' as 'both' }, option: 'read' },
  { options: { maxQuestions: -1 }, option: 'maxQuestions' },
  { options: { maxMessageBytes: 1.5 }, option: 'maxMessageBytes' },
  { options: { terms: { a: { timeoutMs: -1 } } }, option: 'timeoutMs' },
  { options: { terms: { a: { retries: 1 } as object } }, option: 'retries' },
])('the terms $options are refused', ({ options, option }) => {
  const make = () => mcpServer({ name: 's', url: 'http://127.0.0.1:9/', ...options })
  expect(make).toThrow(expect.objectContaining({ code: 'OPTIONS_INVALID', facts: { option } }))
})

test('a server over HTTP has no variables that are not passed on, and a program has those of this process', async () => {
  expect(mcpServer({ name: 's', url: 'http://127.0.0.1:9/' }).withheld).toBeUndefined()
  process.env['LOADOUT_TEST_TOKEN'] = 'a secret'
  try {
    const { withheld } = hostile('none')
    expect(withheld).toContain('LOADOUT_TEST_TOKEN')
    expect(withheld).not.toContain('PATH')
    expect(hostile('none', { env: { LOADOUT_TEST_TOKEN: 'x' } }).withheld).not.toContain(
      'LOADOUT_TEST_TOKEN',
    )
  } finally {
    delete process.env['LOADOUT_TEST_TOKEN']
  }
})
