import {
  Client,
  type ClientOptions,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import * as z from 'zod'
import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import type { ServerConnection, ServerHost } from '../../../entries/adapter.ts'
import { type ToolContext, WorkspaceError } from '../../../entries/index.ts'
import {
  LONGEST_TIMER_MS,
  sanitiseLine,
  type ToolServer,
  withTimeLimit,
} from '../../../entries/kit.ts'
import { Budget } from '../../../workspace/commands/budget.ts'
import { answerRequests, type ServerRequests } from './answer-requests.ts'
import { boundedFetch, countMessages, messageOver } from './bounded-fetch.ts'
import {
  callError,
  connectError,
  endedError,
  progressUpdate,
  readCallResult,
} from './call-error.ts'
import {
  listingText,
  type ListingTerms,
  type ReadListing,
  readPages,
  readTools,
} from './read-tools.ts'
import { type RequestedParts, requestTools, type RequestTool } from './request-tools.ts'
import { type ServerProgram, StdioTransport } from './stdio-transport.ts'

/** The settled configuration of a server. */
export interface ServerConfiguration extends ListingTerms, ServerRequests, RequestedParts {
  readonly revision: 'auto' | '2025-11-25' | '2026-07-28'
  /** Milliseconds to start it, to agree on a revision, and to list its tools. */
  readonly connectTimeoutMs: number
  /** Bytes of one message at most. */
  readonly longestMessage: number
  /** Returns the terms of the calls of a tool, by the name that the server gives it. */
  readonly termsFor: (tool: string) => ReturnType<NonNullable<ToolServer['terms']>>
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

/** Turns of the event loop, in which what another connection has received is read. */
const TURNS = 3

/** Milliseconds before a list is read again that did not differ when it was announced before. */
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
  readonly #running = new Map<ToolContext, ReturnType<ServerConfiguration['termsFor']>>()
  #client: Client | undefined
  #transport: Transport | undefined
  #read: ReadListing = { listing: { tools: [], leftOut: [] }, sentNames: new Map() }
  #requests: ReadonlyMap<string, RequestTool> = new Map()
  #problem: WorkspaceError | undefined
  #isOpen = false
  readonly #end = new AbortController()
  /** The end of the list that is being read; changes meanwhile are read after it. */
  #listing: Promise<unknown> = Promise.resolve()
  /** A list was announced, and its reading has not started. */
  #isAnnounced = false
  /** A call has ended, and notifications that were sent before its result may not have arrived. */
  #isBehind = false
  /** Resolves when they have. */
  #arriving: Promise<void> | undefined
  /** The list that was read last had no difference. */
  #isSame = false
  readonly #lists = new Budget('lists')
  #listBytes = 0

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

  get problem(): WorkspaceError | undefined {
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
    this.#isAnnounced = false
    this.#read = await this.#list(signal)
    this.#isOpen = true
    // It may have changed while it was read.
    if (this.#isAnnounced) this.#readAgain()
  }

  stderr(): readonly string[] {
    return this.#transport instanceof StdioTransport ? this.#transport.errors : []
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
    const terms = this.#configuration.termsFor(definition?.name ?? tool)
    this.#running.set(context, terms)
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
      return readCallResult(result, terms.read)
    } catch (error) {
      throw this.problem === undefined ? callError(error) : endedError(this.problem, error)
    } finally {
      this.#running.delete(context)
      this.#isBehind = this.#configuration.program === null
    }
  }

  async close(): Promise<void> {
    this.#end.abort(new Error('The connection is closed.'))
    // The client may have closed before it took the transport.
    await this.#client?.close().catch(() => undefined)
    await this.#transport?.close()
  }

  async #connect(revision: ServerConfiguration['revision'], signal: AbortSignal): Promise<void> {
    const { program, url, http, longestMessage } = this.#configuration
    const transport: Transport =
      program === null
        ? new StreamableHTTPClientTransport(url as URL, {
            ...http,
            fetch: boundedFetch(http.fetch ?? fetch, longestMessage, () =>
              this.#flooded(messageOver(longestMessage)),
            ),
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
        tools: { autoRefresh: false, debounceMs: 0, onChanged: () => this.#announced() },
      },
    }
    const client = new Client({ name: 'loadout', version: '1.0.0' }, options)
    this.#client = client
    answerRequests(client, this.#configuration, this.#running)
    Object.assign(transport, { onmessage: countMessages((over) => this.#flooded(over)) })
    const strayAnswers = new Budget('strayAnswers')
    Object.assign(client, { onerror: () => this.#flooded(strayAnswers.take()) })
    await client.connect(transport, { signal, timeout: this.#configuration.connectTimeoutMs })
    Object.assign(client, { onclose: () => this.#lose('The connection was closed.') })
  }

  /** Lists the tools. They are read one by one, so that one that is not valid does not make the others fail. */
  async #list(signal: AbortSignal): Promise<ReadListing> {
    const { client } = this
    const { program, connectTimeoutMs: timeout } = this.#configuration
    const hasTools = client.getServerCapabilities()?.tools !== undefined
    const ask = async (params: { readonly cursor?: string }) => {
      const asked = client.request({ method: 'tools/list', params }, PAGE, { signal, timeout })
      const { tools, nextCursor } = await asked
      return { entries: tools, nextCursor }
    }
    const { entries, bytes, endless } = hasTools
      ? await readPages('tools', ask)
      : { entries: [], bytes: 0, endless: undefined }
    this.#lists.take(bytes)
    this.#listBytes = bytes
    const sendsHeaders = program === null && client.getProtocolEra() === 'modern'
    const terms = { ...this.#configuration, sendsHeaders }
    const read = await readTools(entries, client.getInstructions(), terms, endless)
    const own = new Set(read.listing.tools.map(({ name }) => name))
    const requests = requestTools(this.#configuration, client, this.#configuration.prefix)
    const free = requests.filter(({ tool }) => !own.has(tool.name))
    this.#requests = new Map(free.map((one) => [one.tool.name, one]))
    const offered = [...read.listing.tools, ...free.map(({ tool }) => tool)]
    return { ...read, listing: { ...read.listing, tools: offered } }
  }

  #announced(): void {
    if (this.#isAnnounced || this.#end.signal.aborted) return
    this.#isAnnounced = true
    if (this.#isOpen) this.#readAgain()
  }

  /** Reads the list that was announced: once for all that is announced before the reading begins. */
  #readAgain(): void {
    const { name, connectTimeoutMs } = this.#configuration
    const reading = this.#listing.then(async () => {
      const { signal } = this.#end
      const full = this.#lists.waitMs(this.#listBytes)
      const wait = Math.max(full, this.#isSame ? DEBOUNCE_MS : 0)
      if (wait > 0) await pause(wait, undefined, { signal })
      this.#isAnnounced = false
      const what = `Listing the tools of "${name}"`
      const list = (limit: AbortSignal) => this.#list(AbortSignal.any([limit, signal]))
      const read = await withTimeLimit(what, connectTimeoutMs, list, this.#host.signal)
      this.#isSame = listingText(read) === listingText(this.#read)
      this.#read = read
      return read.listing
    })
    // The tools stay until the next list. The host reports the failure, and a lost connection is reported by itself.
    this.#listing = reading.catch(() => (this.#isAnnounced = false))
    this.#host.onListing(reading)
  }

  /**
   * Over HTTP, notifications come on another connection than results. When the server has answered one more question, those
   * that it sent before the last result have arrived, and are read in the next turns of the event loop.
   */
  caughtUp(signal: AbortSignal): Promise<void> | undefined {
    const { client } = this
    const announces = client.getServerCapabilities()?.tools?.listChanged === true
    if (!this.#isBehind || !this.#isOpen || !announces) return this.#arriving
    this.#isBehind = false
    const options = { signal, timeout: LONGEST_TIMER_MS }
    const isModern = client.getProtocolEra() === 'modern'
    const asked = isModern ? client.discover(options) : client.ping(options)
    const read = async () => {
      // A refusal is an answer, too.
      await asked.catch(() => undefined)
      for (let turn = 0; turn < TURNS; turn += 1) await setImmediate()
      if (this.#arriving === reading) this.#arriving = undefined
    }
    const reading = read()
    this.#arriving = reading
    return reading
  }

  /** @param what null when nothing is over its budget */
  #flooded(what: string | null): void {
    if (what === null || this.#problem !== undefined) return
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

const PAGE = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })
