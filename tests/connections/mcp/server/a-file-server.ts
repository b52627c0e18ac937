import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { Client as ClientOne } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as NearOne } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebStandardStreamableHTTPServerTransport as TransportOne } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { McpServer as ServerOne } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  ElicitRequestSchema,
  RootsListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

/** The call of a handler, in the words that both SDKs share. */
interface Call {
  readonly signal: AbortSignal
  progress(done: number): Promise<void>
}

interface Input {
  readonly path: string
}

/** The context of a handler: its members in SDK 1, and those of its request in SDK 2. */
interface Both {
  readonly signal: AbortSignal
  readonly _meta?: { readonly progressToken?: string | number }
  readonly sendNotification?: (message: object) => Promise<void>
  readonly notify?: (message: object) => Promise<void>
}

/** A server of an author, of one of the SDKs. */
export interface FileServer {
  readonly server: ServerOne | McpServer
  /** The calls whose handlers ran, by tool. */
  readonly ran: string[]
  /** The changes of folders that its author heard of. */
  readonly roots: string[]
  /** Settled when the handler of `wait` is aborted. */
  readonly aborted: Promise<unknown>
  register(name: string, config?: object): { remove(): void }
}

const TITLED = {
  title: 'Write File',
  description: 'Writes a file.',
  inputSchema: { path: z.string(), content: z.string().default('') },
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  _meta: { 'author/kind': 'files' },
}

const STAT = {
  description: 'Says how large a file is.',
  inputSchema: { path: z.string() },
  outputSchema: { size: z.number() },
  annotations: { title: 'Stat', readOnlyHint: true },
}

/** Makes a server like that of the reference `filesystem`, with the tools in an order of its own. */
export function aFileServer(version: 1 | 2): FileServer {
  const info = { name: 'files', version: '1.0.0' }
  const options = { capabilities: { logging: {} }, instructions: 'Paths are absolute.' }
  const server = version === 1 ? new ServerOne(info, options) : new McpServer(info, options)
  const ran: string[] = []
  const roots: string[] = []
  const aborting = Promise.withResolvers<unknown>()
  const callOf = (context: never): Call => {
    const { mcpReq, ...extra } = context as { readonly mcpReq?: object }
    const { signal, _meta, sendNotification, notify } = { ...extra, ...mcpReq } as Both
    const send = notify ?? sendNotification
    const progress = async (done: number) => {
      const params = { progressToken: _meta?.progressToken, progress: done }
      await send?.({ method: 'notifications/progress', params })
    }
    return { signal, progress }
  }
  const add = (name: string, config: object, run: (input: Input, call: Call) => unknown) => {
    const { inputSchema, outputSchema, ...more } = config as Record<string, object | undefined>
    const schema = (shape: unknown) => (version === 1 ? shape : z.object(shape as never))
    const given = {
      ...more,
      ...(inputSchema && { inputSchema: schema(inputSchema) }),
      ...(outputSchema && { outputSchema: schema(outputSchema) }),
    }
    const handler = async (...called: unknown[]) => {
      ran.push(name)
      return run(called[0] as Input, callOf(called.at(-1) as never))
    }
    return (server as ServerOne).registerTool(name, given as never, handler as never)
  }
  const text = (said: string) => ({ content: [{ type: 'text', text: said }] })
  add('write_file', TITLED, ({ path }) => ({ ...text(`wrote ${path}`), _meta: { 'author/at': 7 } }))
  add('stat', STAT, () => ({ ...text('3 bytes'), structuredContent: { size: 3 } }))
  add('delete_file', { description: 'Deletes.', inputSchema: { path: z.string() } }, () =>
    text('gone'),
  )
  add('fail', {}, () => {
    throw new Error('The disk is full.')
  })
  add('show_key', {}, () => text('The key is sk-live-0123456789'))
  add('wait', {}, async (_, { signal, progress }) => {
    await progress(1)
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve)
      if (signal.aborted) resolve(null)
    })
    aborting.resolve(signal.reason)
    return text('too late')
  })
  ;(server as ServerOne).registerResource('readme', 'file:///readme', {}, () => ({
    contents: [{ uri: 'file:///readme', text: 'Read me.' }],
  }))
  const onRoots = () => void roots.push('changed')
  if (server instanceof McpServer) {
    server.server.setNotificationHandler('notifications/roots/list_changed', onRoots)
  } else server.server.setNotificationHandler(RootsListChangedNotificationSchema, onRoots)
  onTestFinished(() => server.close())
  const register = (name: string, config = {}) => add(name, config, () => text(name))
  return { server, ran, roots, aborted: aborting.promise, register }
}

type Answer = (message: string) => object

function clientOf(version: 1 | 2, answer: Answer | undefined): ClientOne | Client {
  const info = { name: 'test', version: '1.0.0' }
  const capabilities = {
    roots: { listChanged: true },
    ...(answer && { elicitation: { form: {} } }),
  }
  if (version === 1) {
    const client = new ClientOne(info, { capabilities })
    const onAsked = ({ params }: { params: { message: string } }) => answer?.(params.message)
    if (answer) client.setRequestHandler(ElicitRequestSchema, onAsked as never)
    return client
  }
  const client = new Client(info, { capabilities })
  const onAsked = ({ params }: { params: { message: string } }) => answer?.(params.message)
  if (answer) client.setRequestHandler('elicitation/create', onAsked as never)
  return client
}

/** Connects a client of one of the SDKs in memory, and returns it with the text of each message that it got. */
export async function fileClient(
  version: 1 | 2,
  { server }: Pick<FileServer, 'server'>,
  answer?: Answer,
) {
  const client = clientOf(version, answer)
  const [near, far] = InMemoryTransport.createLinkedPair()
  const got: string[] = []
  const { send } = far
  far.send = (message, options) => {
    got.push(JSON.stringify(message))
    return send.call(far, message, options)
  }
  await server.connect(far as never)
  await client.connect(near as never)
  onTestFinished(() => client.close())
  // The methods that the tests use are those of both.
  return { client: client as unknown as ClientOne, got }
}

/** Connects a client over HTTP without a socket. */
export async function httpClient(
  sdk: { readonly server: 1 | 2; readonly client: 1 | 2 },
  { server }: Pick<FileServer, 'server'>,
  answer: Answer,
): Promise<ClientOne> {
  const Transport = sdk.server === 1 ? TransportOne : WebStandardStreamableHTTPServerTransport
  const transport = new Transport({ sessionIdGenerator: () => 'one' })
  await server.connect(transport as never)
  const fetch = (url: string | URL, init?: RequestInit) =>
    transport.handleRequest(new Request(url, init))
  const Near = sdk.client === 1 ? NearOne : StreamableHTTPClientTransport
  const client = clientOf(sdk.client, answer)
  await client.connect(new Near(new URL('http://localhost/mcp'), { fetch }) as never)
  onTestFinished(() => client.close())
  return client as unknown as ClientOne
}

/** Calls a tool with options, which are the last argument of either client. */
export function callWith(client: ClientOne | Client, name: string, options: object) {
  return client instanceof Client
    ? client.callTool({ name, arguments: {} }, options)
    : client.callTool({ name, arguments: {} }, undefined, options)
}
