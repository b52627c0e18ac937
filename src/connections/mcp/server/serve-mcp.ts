import type { Readable, Writable } from 'node:stream'
import type { McpHttpHandler, McpServer } from '@modelcontextprotocol/server'
import {
  type Catalog,
  createMemoryLog,
  createRedactor,
  type Principal,
  VirtualWorkspace,
  type WorkspaceOptions,
} from '../../../entries/index.ts'
import { checkRecord, isObject } from '../../../entries/kit.ts'
import { DEFAULT_CALL_LIMITS } from '../../../workspace/calls/request/call-limits.ts'
import { checkWorkspaceOptions } from '../../../workspace/open/check-workspace-options.ts'
import { principalAuth, ClientShares } from './client-shares.ts'
import { type EndpointParts, makeMcpServer } from './make-mcp-server.ts'
import { loadMcpSdk } from './mcp-sdk.ts'
import { CLIENT_LIMITS, type McpServing, SERVING_OPTIONS } from './mcp-serving.ts'
import { McpSession } from './mcp-session.ts'
import { NamedSessions, newHandle, sessionId } from './named-sessions.ts'
import { ParkedExchanges } from './parked-exchanges.ts'

/** A server of MCP, for clients of 2025-11-25 and 2026-07-28. */
export interface McpEndpoint {
  /**
   * Serves one client over streams, which is the whole standard input and output of a process. Resolves when the
   * client has closed its side.
   */
  serveStdio(streams: StdioStreams): Promise<void>
  /** Answers an HTTP request. Each client has a session of its own. */
  fetch(request: Request): Promise<Response>
  /** Replaces the catalog of all sessions, and notifies clients. */
  takeCatalog(catalog: Catalog): Promise<void>
  /** Closes all connections and sessions. */
  close(): Promise<void>
}

export interface StdioStreams {
  readonly input: Readable
  readonly output: Writable
  /** The id of the session in the log; a new one when absent. */
  readonly session?: string
}

/**
 * Serves workspaces to clients that speak MCP: their tools through the same gate as every adapter, their skills as
 * resources and prompts, and questions to the person at the client.
 *
 * Needs `@modelcontextprotocol/server`. Throws `PACKAGE_MISSING` without it.
 */
export async function serveMcp<Services>(given: McpServing<Services>): Promise<McpEndpoint> {
  checkRecord(given, SERVING_OPTIONS, 'workspace')
  checkWorkspaceOptions(given.workspace)
  const sdk = await loadMcpSdk()
  const { log = createMemoryLog(), limits } = given.workspace
  const serving = { ...given, workspace: { ...given.workspace, log } } as ServingParts['serving']
  const parked = new ParkedExchanges(
    sdk,
    limits?.confirmationMs ?? DEFAULT_CALL_LIMITS.confirmationMs,
  )
  const { redact } = given.workspace
  const redactor = redact && createRedactor(redact)
  const shares = new ClientShares(sdk, (error) => given.onError?.(error))
  const kept = { parked, redactor, shares }
  return new Endpoint({
    sdk,
    serving,
    ...kept,
    served: new WeakMap(),
    subscriptions: new WeakMap(),
  })
}

/** A connection of 2025-11-25 over HTTP. */
interface HttpConnection {
  readonly principal: string
  readonly session: Pick<McpSession, 'busy'>
  handle(request: Request): Promise<Response>
  close(): Promise<void>
}

type ServingParts = Omit<EndpointParts, 'serving'> & {
  /** Its catalog is replaced when files change. */
  readonly serving: { -readonly [Key in keyof McpServing]: McpServing[Key] }
}

class Endpoint implements McpEndpoint {
  readonly #parts: ServingParts
  readonly #modern: McpHttpHandler
  readonly #open = new Set<McpSession>()
  readonly #named: NamedSessions
  /** Connections of 2025-11-25 over HTTP, by the id that the client has. The first was used least recently. */
  readonly #connections = new Map<string, HttpConnection>()
  /** Servers of connections that last, which are notified. */
  readonly #servers = new Set<McpServer>()
  readonly #unwatch: readonly (() => void)[]
  #listing: Promise<Listing> | undefined

  constructor(parts: ServingParts) {
    const { sdk, serving } = parts
    this.#parts = parts
    this.#named = new NamedSessions({
      open: (id, principal) => this.#openSession(id, principal, false),
      close: (session) => this.#closeSession(session),
      log: () => serving.workspace.log,
      unknown: () =>
        new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'No session has this handle.', {
          code: 'session-unknown',
        }),
    })
    const onerror = (error: Error) => serving.onError?.(error)
    this.#modern = sdk.createMcpHandler(() => this.#requestServer(), { legacy: 'reject', onerror })
    this.#unwatch = (serving.resources ?? []).flatMap(
      (one) => one.watch?.((uri) => this.#resourceChanged(uri)) ?? [],
    )
  }

  async serveStdio({ input, output, session }: StdioStreams): Promise<void> {
    const { sdk, serving } = this.#parts
    const owned = new Map<boolean, Promise<McpSession>>()
    const ended = Promise.withResolvers<void>()
    const onEnd = () => ended.resolve()
    input.once('end', onEnd).once('close', onEnd)
    const factory = async ({ era }: { readonly era: 'legacy' | 'modern' }) => {
      const isModern = era === 'modern'
      const isLive = serving.mode === 'live' && !isModern
      const own = owned.get(isLive) ?? this.#openSession(session, null, isLive)
      owned.set(isLive, own)
      return this.#lastingServer(await own, isModern)
    }
    const transport = new sdk.StdioServerTransport(input, output)
    const onerror = (error: Error) => serving.onError?.(error)
    const handle = sdk.serveStdio(factory, { transport, onerror })
    await ended.promise
    await handle.close()
    for (const own of owned.values()) await this.#closeSession(await own)
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const { sdk, serving } = this.#parts
    const hosts = [...(serving.hosts ?? sdk.localhostAllowedHostnames())]
    const refused =
      sdk.hostHeaderValidationResponse(request, hosts) ??
      sdk.originValidationResponse(request, hosts)
    if (refused) return refused
    const principal = (await serving.authenticate?.(request)) ?? null
    if (principal === null && serving.authenticate !== undefined) {
      return new Response('Unauthorized', { status: 401 })
    }
    return (await sdk.isLegacyRequest(request))
      ? this.#fetchLegacy(request, principal)
      : this.#modern.fetch(request, principalAuth(principal))
  }

  async takeCatalog(catalog: Catalog): Promise<void> {
    const { serving } = this.#parts
    serving.workspace = { ...serving.workspace, catalog }
    for (const { workspace } of this.#open) await workspace.takeCatalog(catalog)
    const { notify } = this.#modern
    notify.toolsChanged()
    notify.promptsChanged()
    notify.resourcesChanged()
    for (const mcp of this.#servers) {
      mcp.sendToolListChanged()
      mcp.sendPromptListChanged()
      mcp.sendResourceListChanged()
    }
  }

  async close(): Promise<void> {
    for (const stop of this.#unwatch) stop()
    this.#parts.parked.close()
    for (const connection of this.#connections.values()) await connection.close()
    await this.#modern.close()
    for (const session of this.#open) await this.#closeSession(session)
  }

  async #openSession(
    id: string | undefined,
    principal: Principal | null,
    isLive: boolean,
    more: Pick<WorkspaceOptions, 'log'> = {},
  ): Promise<McpSession> {
    const { workspace: options } = this.#parts.serving
    const since = options.testing?.clock?.now() ?? Date.now()
    const workspace = await VirtualWorkspace.open({
      discovery: {},
      ...options,
      limits: { ...CLIENT_LIMITS, ...options.limits },
      ...more,
      exposure: isLive ? 'append' : 'bridge',
      ...(id !== undefined && { session: id }),
      ...(principal !== null && { principal }),
    })
    const session = new McpSession(workspace, isLive)
    this.#open.add(session)
    // The session that lists tools has a log of its own.
    if (more.log === undefined) {
      await this.#parts.shares.watch(principal?.id ?? '', workspace, since)
    }
    return session
  }

  async #closeSession(session: McpSession): Promise<void> {
    this.#open.delete(session)
    await session.workspace.close()
  }

  /** Makes the server of a connection with a session of its own. */
  async #lastingServer(own: McpSession, isModern: boolean): Promise<McpServer> {
    const { serving } = this.#parts
    const mcp = makeMcpServer(this.#parts, {
      isModern,
      own,
      listing: own,
      instructions: await own.instructions(),
      use: async (_, __, work) => {
        own.busy += 1
        try {
          return await work(own, '', false)
        } finally {
          own.busy -= 1
        }
      },
    })
    const isLive = serving.mode === 'live' && !isModern
    const stop = own.workspace.subscribe((outcome) => {
      if (!outcome.ok || !mcp.isConnected()) return
      const { added, removed, changed } = outcome.difference
      if (added.length + removed.length + changed.length === 0) return
      if (isLive) mcp.sendToolListChanged()
      if (!isModern) mcp.sendResourceListChanged()
    })
    this.#servers.add(mcp)
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a server has one callback
    mcp.server.onclose = () => {
      stop()
      this.#servers.delete(mcp)
    }
    return mcp
  }

  /** Makes the server of one request of 2026-07-28 over HTTP. */
  async #requestServer(): Promise<McpServer> {
    const { session, instructions } = await this.#listed()
    return makeMcpServer(this.#parts, {
      isModern: true,
      own: null,
      listing: session,
      instructions,
      use: (handle, { http }, work) => {
        const principal = http?.authInfo?.extra?.['principal'] as Principal | undefined
        return this.#named.use(handle, principal ?? null, work)
      },
    })
  }

  /** Returns a session in memory, which lists the tools for clients without one. A failure to open it is not kept. */
  #listed(): Promise<Listing> {
    const opened = (this.#listing ??= this.#openSession(undefined, null, false, {
      log: createMemoryLog(),
    }).then(async (session) => ({ session, instructions: await session.instructions() })))
    opened.catch(() => {
      if (this.#listing === opened) this.#listing = undefined
    })
    return opened
  }

  async #fetchLegacy(request: Request, principal: Principal | null): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#connect(request, principal)
    const connection = this.#connections.get(id)
    if (connection === undefined || connection.principal !== (principal?.id ?? '')) {
      return refuse(404, -32_001, 'Session not found')
    }
    this.#connections.delete(id)
    this.#connections.set(id, connection)
    return connection.handle(request)
  }

  /** Begins a connection, if the request does: the transport refuses any other. */
  async #connect(request: Request, principal: Principal | null): Promise<Response> {
    const { sdk, serving } = this.#parts
    const handle = newHandle()
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => handle,
      onsessionclosed: () => close(),
    })
    const auth = principalAuth(principal)
    const answer = (one: Request) => transport.handleRequest(one, auth)
    if (!(await beginsConnection(request))) {
      await transport.start()
      return answer(request)
    }
    const who = principal?.id ?? ''
    const { refused } = this.#parts.shares.room(this.#connections, who)
    if (refused !== null) return refuse(429, -32_000, refused, { code: 'client-floods' })
    const isLive = serving.mode === 'live'
    const own = await this.#openSession(sessionId(handle, principal), principal, isLive)
    const mcp = await this.#lastingServer(own, false)
    const close = async () => {
      this.#connections.delete(handle)
      await mcp.close()
      await this.#closeSession(own)
    }
    await mcp.connect(transport)
    const connection = { principal: who, handle: answer, close, session: own }
    const { least } = this.#parts.shares.room(this.#connections, who)
    this.#connections.set(handle, connection)
    await least?.close()
    return answer(request)
  }

  #resourceChanged(uri: string): void {
    this.#modern.notify.resourceUpdated(uri)
    for (const mcp of this.#servers) {
      if (this.#parts.subscriptions.get(mcp)?.has(uri) === true) {
        void mcp.server.sendResourceUpdated({ uri }).catch(() => undefined)
      }
    }
  }
}

/** The session that lists tools for clients without one, and the text for their model. */
interface Listing {
  readonly session: McpSession
  readonly instructions: string
}

function refuse(status: number, code: number, message: string, data?: object): Response {
  const error = { code, message, ...(data && { data }) }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status })
}

async function beginsConnection(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null)
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body]
  return messages.some((one) => isObject(one) && one['method'] === 'initialize')
}
