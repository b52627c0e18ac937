import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mcpServer, type McpServerOptions } from 'loadout/mcp'

/** A server on a pipe that cannot be attached, and the stage at which it fails. */
interface Unattached {
  readonly fault: string
  readonly stage: string
  readonly more?: Partial<McpServerOptions>
}

/** The server of `hostile-server.mjs` with a fault. */
export const hostile = (fault: string, more: Partial<McpServerOptions> = {}, file = '') =>
  mcpServer({
    name: 'h',
    command: process.execPath,
    args: ['tests/connections/mcp/client/hostile-server.mjs', fault, file],
    revision: '2025-11-25',
    connectTimeoutMs: 10_000,
    ...more,
  })

export const UNATTACHED: readonly Unattached[] = [
  { fault: 'exits-at-once', stage: 'SERVER_EXITED' },
  { fault: 'cannot-be-started', stage: 'SERVER_NOT_STARTED', more: { command: 'no-such-program' } },
  { fault: 'silent-at-the-start', stage: 'SERVER_SILENT', more: { connectTimeoutMs: 1_000 } },
  { fault: 'silent-list', stage: 'SERVER_SILENT', more: { connectTimeoutMs: 1_000 } },
  { fault: 'refuses-to-start', stage: 'SERVER_NOT_CONNECTED' },
  { fault: 'another-revision', stage: 'SERVER_NOT_CONNECTED' },
  { fault: 'refuses-to-list', stage: 'SERVER_NOT_CONNECTED' },
  { fault: 'list-of-another-shape', stage: 'SERVER_NOT_CONNECTED' },
  { fault: 'prints-for-people', stage: 'SERVER_PRINTS' },
]

interface FailedCall {
  readonly fault: string
  readonly type: string
  readonly message: RegExp
}

/** Servers on a pipe whose calls fail. */
export const FAILED_CALLS: readonly FailedCall[] = [
  { fault: 'dies-in-a-call', type: 'TRANSIENT', message: /ended with the code 3/u },
  { fault: 'never-answers', type: 'TIMEOUT', message: /1000 ms/u },
  { fault: 'answers-another-id', type: 'TIMEOUT', message: /1000 ms/u },
  { fault: 'result-of-another-shape', type: 'TIMEOUT', message: /1000 ms/u },
  { fault: 'content-of-another-shape', type: 'BAD_OUTPUT', message: /./u },
  { fault: 'unknown-part', type: 'BAD_OUTPUT', message: /./u },
  { fault: 'wrong-output', type: 'BAD_OUTPUT', message: /n/u },
  { fault: 'says-it-failed', type: 'PERMANENT', message: /^fetch failed$/u },
  { fault: 'error-of-the-protocol', type: 'INTERNAL', message: /broken/u },
  { fault: 'wrong-arguments', type: 'VALIDATION', message: /no such thing/u },
  { fault: 'message-too-long', type: 'PERMANENT', message: /wrote a message over 10 MB/u },
]

/** Calls that are answered with a status. */
export const FAILED_STATUSES = [
  { status: 401, type: 'AUTH' },
  { status: 403, type: 'AUTH' },
  { status: 429, type: 'RATE_LIMIT' },
  { status: 500, type: 'TRANSIENT' },
] as const

/** Servers over HTTP that cannot be attached. */
export const UNATTACHED_OVER_HTTP = [
  { what: 'answers 401', status: 401, stage: 'SERVER_AUTH' },
  { what: 'answers 404', status: 404, stage: 'SERVER_NOT_CONNECTED' },
  { what: 'never answers', status: null, stage: 'SERVER_SILENT' },
] as const

export type Answer = (
  method: string,
  response: ServerResponse,
  request: IncomingMessage,
  message: { readonly id?: number; readonly params?: { readonly cursor?: string } },
) => boolean

export const TOOLS: readonly object[] = [{ name: 'good', inputSchema: { type: 'object' } }]

interface PlainServer {
  readonly server: Server
  readonly url: string
}

/** Starts a server of plain JSON over HTTP. `answer` may answer a request itself. */
export async function plainServer(answer: Answer, tools = TOOLS): Promise<PlainServer> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    if (request.method !== 'POST') {
      response.writeHead(405).end()
      return
    }
    const message = JSON.parse(body) as { id?: number; method: string }
    const { id, method } = message
    if (answer(method, response, request, message)) return
    if (id === undefined) {
      response.writeHead(202).end()
      return
    }
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: '2025-11-25',
        serverInfo: { name: 'plain', version: '1' },
        capabilities: { tools: { listChanged: true } },
      },
      'tools/list': { tools },
      'tools/call': { content: [{ type: 'text', text: 'good' }] },
    }
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }))
  })
  // A client that is busy for seconds must not find its idle connection closed.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }
}
