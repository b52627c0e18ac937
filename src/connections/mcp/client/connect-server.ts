import {
  Client,
  type ClientOptions,
  type Progress,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import type { ServerConnection, ServerHost } from '../../../entries/adapter.ts'
import { type ToolContext, WorkspaceError } from '../../../entries/index.ts'
import {
  LONGEST_TIMER_MS,
  sanitiseLine,
  thrownMessage,
  withTimeLimit,
} from '../../../entries/kit.ts'
import type { ProgressUpdate } from '../../../tools/definition/call-client.ts'
import { answerRequests, type ServerRequests } from './answer-requests.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { callError, readCallResult } from './call-error.ts'
import { type ListingTerms, type ReadListing, readTools } from './read-tools.ts'
import { type RequestedParts, requestTools, type RequestTool } from './request-tools.ts'
import { type ServerProgram, StdioTransport } from './stdio-transport.ts'

/** The settled configuration of a server. */
export interface ServerConfiguration extends ListingTerms, ServerRequests, RequestedParts {
  readonly revision: 'auto' | '2025-11-25' | '2026-07-28'
  /** Milliseconds to start it, to agree on a revision, and to list its tools. */
  readonly connectTimeoutMs: number
  readonly program: ServerProgram | null
  readonly url: URL | null
  readonly http: NonNullable<ConstructorParameters<typeof StreamableHTTPClientTransport>[1]>
}

/** The name that a server gave itself when it was connected first. It is compared, and never shown to a model. */
export interface ServerIdentity {
  name?: string | undefined
}

/** Milliseconds for the answer to the first question. An old server on a pipe may not answer it. */
const PROBE_MS = 3_000

/** Pages of a list. */
const MOST_PAGES = 64

/** Notifications within a second, before the connection is closed. */
const MOST_NOTIFICATIONS = 1_000

/** Milliseconds after a notification of another list, in which further ones are the same change. */
const DEBOUNCE_MS = 100

/** Connects to a server, and lists its tools. Rejects as `ToolServer.connect` says. */
export async function connectServer(
  configuration: ServerConfiguration,
  host: ServerHost,
  identity: ServerIdentity,
): Promise<ServerConnection> {
  const connection = new McpConnection(configuration, host, identity)
  const { name, connectTimeoutMs } = configuration
  try {
    await withTimeLimit(
      `Connecting to "${name}"`,
      connectTimeoutMs,
      (signal) => connection.open(signal),
      host.signal,
    )
    return connection
  } catch (error) {
    const { problem } = connection
    await connection.close()
    throw problem ?? connectError(name, error)
  }
}

/** Returns the client of an open connection, for requests other than those of tools. */
export function clientOf(connection: ServerConnection): Client {
  if (connection instanceof McpConnection) return connection.client
  throw new WorkspaceError('OPTIONS_INVALID', 'The server does not speak the protocol.', {
    facts: { option: 'server' },
    hint: 'Make one with mcpServer of loadout/mcp.',
  })
}

class McpConnection implements ServerConnection {
  readonly #configuration: ServerConfiguration
  readonly #host: ServerHost
  readonly #identity: ServerIdentity
  readonly #running = new Set<ToolContext>()
  #client: Client | undefined
  #transport: Transport | undefined
  #read: ReadListing = { listing: { tools: [], leftOut: [] }, sentNames: new Map() }
  #requests: ReadonlyMap<string, RequestTool> = new Map()
  #problem: Error | undefined
  #isOpen = false
  #isClosed = false
  /** The end of the list that is being read; changes meanwhile are read after it. */
  #listing: Promise<void> = Promise.resolve()

  constructor(configuration: ServerConfiguration, host: ServerHost, identity: ServerIdentity) {
    this.#configuration = configuration
    this.#host = host
    this.#identity = identity
  }

  get listing() {
    return this.#read.listing
  }

  get client(): Client {
    return this.#client as Client
  }

  get problem(): Error | undefined {
    const { problem } = this.#transport instanceof StdioTransport ? this.#transport : {}
    return this.#problem ?? problem
  }

  async open(signal: AbortSignal): Promise<void> {
    const { revision, program } = this.#configuration
    try {
      await this.#connect(revision, signal)
    } catch (error) {
      // Some servers end at the first question of the newer revision.
      const hasEnded =
        SdkError.isInstance(error) && error.code === SdkErrorCode.EraNegotiationFailed
      if (revision !== 'auto' || program === null || !hasEnded || signal.aborted) throw error
      await this.#transport?.close()
      await this.#connect('2025-11-25', signal)
    }
    this.#checkIdentity()
    this.#read = await this.#list(signal)
    this.#isOpen = true
  }

  /** Refuses another server at the same place: what was agreed to was another one. */
  #checkIdentity(): void {
    const { name } = this.#client?.getServerVersion() ?? {}
    const known = (this.#identity.name ??= name)
    if (name === known) return
    const server = this.#configuration.name
    throw new WorkspaceError(
      'SERVER_CHANGED',
      `The server "${server}" calls itself "${sanitiseLine(String(name))}" now, and "${sanitiseLine(String(known))}" before.`,
      { hint: 'Check its address or command. A new process takes the new one.', facts: { server } },
    )
  }

  async call(tool: string, input: unknown, context: ToolContext) {
    const { client } = this
    const definition = this.#read.sentNames.get(tool)
    const request = this.#requests.get(tool)
    this.#running.add(context)
    try {
      if (request !== undefined) return await request.run(client, input, context.signal)
      if (definition === undefined) throw new Error(`It has no tool "${tool}".`)
      const result = await client.callTool(
        { name: definition.name, arguments: input as Record<string, unknown> },
        {
          signal: context.signal,
          // The deadline is that of the call.
          timeout: LONGEST_TIMER_MS,
          toolDefinition: definition,
          onprogress: (progress) => context.progress(progressUpdate(progress)),
        },
      )
      return readCallResult(result)
    } catch (error) {
      throw callError(error)
    } finally {
      this.#running.delete(context)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // The client may have closed before it took the transport.
    await this.#client?.close().catch(() => undefined)
    await this.#transport?.close()
  }

  async #connect(revision: ServerConfiguration['revision'], signal: AbortSignal): Promise<void> {
    const { program, url, http } = this.#configuration
    const transport: Transport =
      program === null
        ? new StreamableHTTPClientTransport(url as URL, {
            ...http,
            fetch: boundedFetch(http.fetch ?? fetch, () => this.#flooded('a message over 10 MB')),
          })
        : new StdioTransport(program)
    this.#transport = transport
    const options: ClientOptions = {
      versionNegotiation: {
        mode:
          revision === '2026-07-28' ? { pin: revision } : revision === 'auto' ? 'auto' : 'legacy',
        ...(program !== null && { probe: { timeoutMs: PROBE_MS } }),
      },
      // Results are checked by the workspace.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({
          valid: true,
          data: data as never,
          errorMessage: undefined,
        }),
      },
      listChanged: {
        tools: { autoRefresh: false, debounceMs: DEBOUNCE_MS, onChanged: () => this.#listAgain() },
      },
    }
    const client = new Client({ name: 'loadout', version: '1.0.0' }, options)
    this.#client = client
    answerRequests(client, this.#configuration, this.#running)
    Object.assign(transport, { onmessage: this.#notificationCount() })
    await client.connect(transport, { signal, timeout: this.#configuration.connectTimeoutMs })
    Object.assign(client, { onclose: () => this.#lose('The connection was closed.') })
  }

  /** Lists the tools. They are read one by one, so that one that is not valid does not make the others fail. */
  async #list(signal: AbortSignal): Promise<ReadListing> {
    const { client } = this
    const { program, connectTimeoutMs: timeout } = this.#configuration
    const hasTools = client.getServerCapabilities()?.tools !== undefined
    const tools = hasTools ? await this.#pages({ signal, timeout }) : []
    const sendsHeaders = program === null && client.getProtocolEra() === 'modern'
    const terms = { ...this.#configuration, sendsHeaders }
    const read = readTools(tools, client.getInstructions(), terms)
    const own = new Set(read.listing.tools.map(({ name }) => name))
    const requests = requestTools(this.#configuration, client, this.#configuration.prefix)
    const free = requests.filter(({ tool }) => !own.has(tool.name))
    this.#requests = new Map(free.map((one) => [one.tool.name, one]))
    const offered = [...read.listing.tools, ...free.map(({ tool }) => tool)]
    return { ...read, listing: { ...read.listing, tools: offered } }
  }

  async #pages(options: { readonly signal: AbortSignal; readonly timeout: number }) {
    const tools: unknown[] = []
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor }
      const result = await this.client.request({ method: 'tools/list', params }, PAGE, options)
      // A page may have more tools than a call takes arguments.
      for (const tool of result.tools) tools.push(tool)
      cursor = result.nextCursor
      // A server whose pages lead in a circle has listed what it has.
      if (cursor === undefined || seen.has(cursor)) break
      seen.add(cursor)
    }
    return tools
  }

  #listAgain(): void {
    if (!this.#isOpen || this.#isClosed) return
    this.#listing = this.#listing.then(async () => {
      try {
        const { name, connectTimeoutMs } = this.#configuration
        this.#read = await withTimeLimit(
          `Listing the tools of "${name}"`,
          connectTimeoutMs,
          (signal) => this.#list(signal),
          this.#host.signal,
        )
        this.#host.onListing(this.#read.listing)
      } catch {
        // The tools stay until the next list, and a lost connection is reported by itself.
      }
    })
  }

  /** Returns a listener that closes a connection with too many notifications. */
  #notificationCount(): NonNullable<Transport['onmessage']> {
    let second = 0
    let count = 0
    return (message) => {
      if ('id' in message) return
      const now = Math.floor(performance.now() / 1000)
      count = now === second ? count + 1 : 1
      second = now
      if (count > MOST_NOTIFICATIONS) {
        this.#flooded(`over ${MOST_NOTIFICATIONS} notifications in a second`)
      }
    }
  }

  #flooded(what: string): void {
    if (this.#problem !== undefined) return
    const { name } = this.#configuration
    this.#problem = new WorkspaceError('SERVER_FLOODS', `The server "${name}" sent ${what}.`, {
      hint: 'Report this to its author.',
      facts: { server: name },
    })
    void this.close()
    this.#lose('It was closed.')
  }

  #lose(message: string): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#host.onLost(this.problem ?? new Error(message))
  }
}

/** Returns progress in the form that listeners get. A server may count beyond its total. */
function progressUpdate({ progress, total, message }: Progress): ProgressUpdate {
  const fraction = total === undefined || total <= 0 ? undefined : progress / total
  return {
    ...(message !== undefined && { message }),
    ...(fraction !== undefined && { fraction: Math.min(1, Math.max(0, fraction)) }),
  }
}

const PAGE = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

/** Returns the error of a connection that failed, with a code for the stage. */
function connectError(server: string, thrown: unknown): Error {
  if (WorkspaceError.is(thrown) && thrown.code !== 'TIME_LIMIT') return thrown
  const [code, hint] = stageOf(thrown)
  const message = `The server "${server}" cannot be connected: ${thrownMessage(thrown)}`
  return new WorkspaceError(code, message, { hint, facts: { server }, cause: thrown })
}

/** Returns the code of the stage at which it failed, and a hint. */
function stageOf(thrown: unknown): readonly [string, string] {
  const isHttp = SdkHttpError.isInstance(thrown)
  if (UnauthorizedError.isInstance(thrown) || (isHttp && [401, 403].includes(thrown.status))) {
    return ['SERVER_AUTH', 'Give it valid credentials: headers or authProvider.']
  }
  const timedOut = SdkError.isInstance(thrown) && thrown.code === SdkErrorCode.RequestTimeout
  if (timedOut || WorkspaceError.is(thrown)) {
    return ['SERVER_SILENT', 'It did not answer in time. Check that it speaks the protocol.']
  }
  return ['SERVER_NOT_CONNECTED', 'Check its address or command, and its revision.']
}
