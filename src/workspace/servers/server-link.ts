import { thrownMessage } from '../../kernel/thrown-message.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { ToolContext } from '../../tools/definition/tool-context.ts'
import {
  ConnectionLost,
  type ServerConnection,
  type ServerListing,
  type ToolServer,
} from '../../tools/definition/tool-server.ts'
import type { HandlerResult, Tool } from '../../tools/definition/tool.ts'
import { type ErrorType, ToolError } from '../../tools/response/error-type.ts'
import { pause, untilAborted, withTimeLimit } from '../commands/with-time-limit.ts'
import type { Clock } from '../log/clock.ts'

/** Connections that a server may lose within a minute, before calls no longer connect. */
const MOST_RESTARTS = 5

const RESTART_WINDOW_MS = 60_000

/** The pause after the first failure to connect, in milliseconds. It doubles with each, up to the longest. */
const FIRST_PAUSE_MS = 100

const LONGEST_PAUSE_MS = 2_000

/** The types of failures that do not go away by themselves, by their codes. */
const BY_STAGE: ReadonlyMap<string, ErrorType> = new Map([
  ['SERVER_AUTH', 'AUTH'],
  ['SERVER_UNTRUSTED', 'UNAVAILABLE'],
  ['SERVER_INVALID', 'UNAVAILABLE'],
])

interface LinkHost {
  readonly clock: Clock
  /** Aborted when the session closes. */
  readonly closing: AbortSignal
  /** Registers the tools that the server has now. */
  onListing(listing: ServerListing): Promise<void>
}

/** An attempt to connect, or an open connection. */
interface Attempt {
  readonly end: AbortController
  /** The connection, also one that arrives after the attempt was ended. */
  readonly connecting: Promise<ServerConnection>
  readonly connection: Promise<ServerConnection>
  /** The tools that were registered last; a call waits for it. */
  listing: Promise<ServerListing>
  isOpen: boolean
}

/** Milliseconds for a connection to end; a server that needs longer ends alone. */
const CLOSE_MS = 15_000

/** Ends an attempt, and its connection, also one that arrives later. Never rejects. */
async function endAttempt({ end, connecting }: Attempt, reason: Error): Promise<void> {
  end.abort(reason)
  const closing = connecting.then(
    (connection) => connection.close(),
    () => undefined,
  )
  await withTimeLimit('The end of a connection', CLOSE_MS, () => closing).catch(() => undefined)
}

/**
 * The connection of one session to one server: opened when it is needed, and again when it was lost, with pauses that
 * get longer. Calls that come while it connects share one attempt.
 */
export class ServerLink {
  readonly server: ToolServer
  readonly #host: LinkHost
  #attempt: Attempt | undefined
  #failures = 0
  #notBefore = 0
  #lost: number[] = []

  constructor(server: ToolServer, host: LinkHost) {
    this.server = server
    this.#host = host
  }

  get isConnected(): boolean {
    return this.#attempt?.isOpen === true
  }

  /** Connects, unless it is connected. Returns the tools of the server, and registers nothing. */
  async connect(): Promise<ServerListing> {
    return (await this.#open().connection).listing
  }

  /** Calls a tool. Connects first, and once again when the server surely did not get the call. */
  async call(tool: Tool, input: unknown, context: ToolContext): Promise<HandlerResult<unknown>> {
    for (let isRepeated = false; ; isRepeated = true) {
      const attempt = await this.#opened(context.signal)
      try {
        const { tools } = await untilAborted(attempt.listing, context.signal)
        this.#checkListed(tool, tools)
        const connection = await attempt.connection
        return await connection.call(tool.name, input, context)
      } catch (error) {
        if (!ConnectionLost.is(error)) throw error
        this.#drop(attempt)
        if (!error.sent && !isRepeated) continue
        throw new ToolError('TRANSIENT', `Server "${this.server.name}": ${error.message}`, {
          partialSideEffects: error.sent,
          details: { server: this.server.name },
        })
      }
    }
  }

  /** Ends the connection, or the attempt. Resolves when no process of the server is left, or when it takes too long. */
  async close(): Promise<void> {
    const attempt = this.#attempt
    this.#attempt = undefined
    if (attempt !== undefined) await endAttempt(attempt, new Error('The server was detached.'))
  }

  /** Connects for a call: waits for the pause after failures, and registers the tools that the server has. */
  async #opened(signal: AbortSignal): Promise<Attempt> {
    const { clock } = this.#host
    if (this.#attempt === undefined) {
      const now = clock.monotonic()
      this.#lost = this.#lost.filter((at) => now - at < RESTART_WINDOW_MS)
      if (this.#lost.length >= MOST_RESTARTS) {
        const message = `The server "${this.server.name}" was lost ${MOST_RESTARTS} times within a minute. It is not started again now.`
        throw new ToolError('TRANSIENT', message, { details: { server: this.server.name } })
      }
      await pause(Math.max(0, this.#notBefore - now), signal)
      signal.throwIfAborted()
    }
    const attempt = this.#open()
    try {
      await untilAborted(attempt.connection, signal)
    } catch (error) {
      if (signal.aborted) throw error
      const hint = WorkspaceError.is(error) ? ` ${error.hint}` : ''
      const type = WorkspaceError.is(error)
        ? (BY_STAGE.get(error.code) ?? 'TRANSIENT')
        : 'TRANSIENT'
      throw new ToolError(type, `${thrownMessage(error)}${hint}`, {
        partialSideEffects: false,
        details: {
          server: this.server.name,
          ...(WorkspaceError.is(error) && { code: error.code }),
        },
      })
    }
    return attempt
  }

  #open(): Attempt {
    if (this.#attempt !== undefined) return this.#attempt
    const { clock, closing } = this.#host
    const end = new AbortController()
    const signal = AbortSignal.any([end.signal, closing])
    const connecting = this.server.connect({
      signal,
      onListing: (listing) => {
        if (this.#attempt === attempt) attempt.listing = this.#registered(attempt, listing)
      },
      onLost: () => this.#drop(attempt),
    })
    // A server that does not end at the signal holds nobody up.
    const connection = untilAborted(connecting, signal)
    const attempt: Attempt = {
      end,
      connecting,
      connection,
      listing: connection.then(({ listing }) => this.#register(listing)),
      isOpen: false,
    }
    // A caller of `connect` does not wait for it, and another caller may.
    attempt.listing.catch(() => undefined)
    this.#attempt = attempt
    connection.then(
      () => {
        attempt.isOpen = true
        this.#failures = 0
      },
      () => {
        // While the session closes, its end is still awaited.
        if (this.#attempt === attempt && !closing.aborted) this.#attempt = undefined
        const longest = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS)
        this.#failures += 1
        this.#notBefore = clock.monotonic() + longest
      },
    )
    return attempt
  }

  /** Registers other tools after those that are being registered. */
  #registered(attempt: Attempt, listing: ServerListing): Promise<ServerListing> {
    const next = attempt.listing.then(
      () => this.#register(listing),
      () => this.#register(listing),
    )
    next.catch(() => undefined)
    return next
  }

  async #register(listing: ServerListing): Promise<ServerListing> {
    await this.#host.onListing(listing)
    return listing
  }

  /** Refuses a call of a tool that the server has not, or has with another definition than was agreed to. */
  #checkListed({ name, hash }: Tool, tools: readonly Tool[]): void {
    const now = tools.find((one) => one.name === name)
    if (now?.hash === hash) return
    const why = now === undefined ? 'no longer has it' : 'has another definition of it now'
    throw new ToolError('UNAVAILABLE', `The server "${this.server.name}" ${why}.`, {
      details: { server: this.server.name, code: now === undefined ? 'gone' : 'changed' },
    })
  }

  #drop(attempt: Attempt): void {
    if (this.#attempt !== attempt) return
    this.#attempt = undefined
    this.#lost.push(this.#host.clock.monotonic())
    void endAttempt(attempt, new Error('The connection was lost.'))
  }
}
