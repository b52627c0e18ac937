import { thrownMessage } from '../../kernel/thrown-message.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { ToolContext } from '../../tools/definition/tool-context.ts'
import {
  ConnectionLost,
  type ServerConnection,
  type ServerHealth,
  type ServerListing,
  type ToolServer,
} from '../../tools/definition/tool-server.ts'
import type { HandlerResult, Tool } from '../../tools/definition/tool.ts'
import { type ErrorType, ToolError } from '../../tools/response/error-type.ts'
import { Budget } from '../commands/budget.ts'
import { pause, untilAborted, withTimeLimit } from '../commands/with-time-limit.ts'
import { changedBytes } from './sync-command.ts'
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
  /** Records that the server sends too much. */
  onFlood(what: string): void
}

/** An attempt to connect, or an open connection. */
interface Attempt {
  readonly end: AbortController
  /** The connection, also one that arrives after the attempt was ended. */
  readonly connecting: Promise<ServerConnection>
  readonly connection: Promise<ServerConnection>
  /** The tools that it had when it was connected, once they are registered; a call waits for it. */
  readonly listing: Promise<unknown>
  /** The tools that the server has now. */
  known: ServerListing
  /** The list that the server announced last, until it is registered; a call and a step wait for it. */
  announced?: { readonly read: Promise<void>; readonly until: number } | undefined
}

/** Milliseconds after it was announced, in which a list of tools is waited for. */
const MOST_WAIT_MS = 2_000

type HealthStatus = Pick<ServerHealth, 'status' | 'since' | 'problem'>

const NO_TOOLS: ServerListing = { tools: [], leftOut: [] }

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
  #open: ServerConnection | undefined
  #status: HealthStatus
  #stderr: readonly string[] = []
  /** The server did not say in time that its announcements have arrived: it is not asked again. */
  #isSlow = false
  readonly #changes: Budget
  readonly #questions: Budget
  /** The tools that were registered last, by any connection. */
  #registered: ServerListing | undefined
  /** Its tools are registered when there is room for their changes. */
  #isWaiting = false

  constructor(server: ToolServer, host: LinkHost) {
    this.server = server
    this.#host = host
    this.#changes = new Budget('listChanges', () => host.clock.monotonic())
    this.#questions = new Budget('serverQuestions', () => host.clock.monotonic())
    this.#status = { status: 'not-connected', since: host.clock.now(), problem: null }
  }

  get isConnected(): boolean {
    return this.#open !== undefined
  }

  get health(): ServerHealth {
    const { name: server, withheld = [] } = this.server
    const stderr = this.#open?.stderr?.() ?? this.#stderr
    return { server, ...this.#status, stderr, withheld }
  }

  /** Connects, unless it is connected. Returns the tools of the server, and registers nothing. */
  async connect(): Promise<ServerListing> {
    return (await this.#begin().connection).listing
  }

  /** Calls a tool. Connects first, and once again when the server surely did not get the call. */
  async call(tool: Tool, input: unknown, context: ToolContext): Promise<HandlerResult<unknown>> {
    for (let isRepeated = false; ; isRepeated = true) {
      const attempt = await this.#opened(context.signal)
      try {
        await untilAborted(attempt.listing, context.signal)
        await untilAborted(this.#listed(Infinity) ?? Promise.resolve(), context.signal)
        this.#checkListed(tool, attempt.known.tools)
        const connection = await attempt.connection
        return await connection.call(tool.name, input, this.#withBudget(context))
      } catch (error) {
        if (!ConnectionLost.is(error)) throw error
        this.#drop(attempt, error)
        if (!error.sent && !isRepeated) continue
        throw new ToolError('TRANSIENT', `Server "${this.server.name}": ${error.message}`, {
          partialSideEffects: error.sent,
          details: { server: this.server.name },
        })
      }
    }
  }

  /** Returns the context in which the server asks no more than its budget of questions, over calls and connections. */
  #withBudget(context: ToolContext): ToolContext {
    const elicit: ToolContext['elicit'] = async (question) => {
      const over = this.#questions.take(JSON.stringify(question).length)
      if (over === null) return context.elicit(question)
      const problem = `The server "${this.server.name}" sent ${over}.`
      this.#host.onFlood(`${problem} They are declined until the minute is over.`)
      throw new ToolError('RATE_LIMIT', problem, { details: { server: this.server.name } })
    }
    return { ...context, elicit }
  }

  /**
   * Waits for the lists that the server announced before the last result of a call, but not longer than two seconds. Never
   * rejects. Undefined when there is nothing to wait for.
   */
  announced(): Promise<void> | undefined {
    const { clock } = this.#host
    const until = clock.monotonic() + MOST_WAIT_MS
    const end = new AbortController()
    const arrived = this.#isSlow ? undefined : this.#open?.caughtUp?.(end.signal)
    if (arrived === undefined) return this.#listed(until)
    const read = async () => {
      this.#isSlow = !(await this.#within(until, arrived))
      end.abort()
      await this.#listed(until)
    }
    return read()
  }

  /** Waits for the list that was announced, until then or two seconds after it was; undefined when none is. */
  #listed(most: number): Promise<void> | undefined {
    const { read, until = 0 } = this.#attempt?.announced ?? {}
    if (read === undefined || until <= this.#host.clock.monotonic()) return undefined
    return this.#within(Math.min(until, most), read).then(() => undefined)
  }

  /** Awaits work until a moment. Resolves with true when the work ended before. */
  async #within(until: number, work: Promise<void>): Promise<boolean> {
    const { clock } = this.#host
    const leftMs = Math.max(0, until - clock.monotonic())
    const end = new AbortController()
    const over = clock.pause?.(leftMs, end.signal) ?? pause(leftMs, end.signal)
    const isDone = await Promise.race([work.then(() => true), over.then(() => false)])
    end.abort()
    return isDone
  }

  /** Ends the connection, or the attempt. Resolves when no process of the server is left, or when it takes too long. */
  async close(): Promise<void> {
    const attempt = this.#attempt
    this.#attempt = undefined
    this.#noteEnd('not-connected', null)
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
    const attempt = this.#begin()
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

  #begin(): Attempt {
    if (this.#attempt !== undefined) return this.#attempt
    const { clock, closing } = this.#host
    const end = new AbortController()
    const signal = AbortSignal.any([end.signal, closing])
    const connecting = this.server.connect({
      signal,
      onListing: (listing) => {
        if (this.#attempt === attempt) this.#announce(attempt, listing)
      },
      onLost: (error) => this.#drop(attempt, error),
    })
    // A server that does not end at the signal holds nobody up.
    const connection = untilAborted(connecting, signal)
    const attempt: Attempt = {
      end,
      connecting,
      connection,
      known: NO_TOOLS,
      listing: connection.then(async ({ listing }) => {
        attempt.known = listing
        await this.#register(attempt)
      }),
    }
    // A caller of `connect` does not wait for it, and another caller may.
    attempt.listing.catch((error) => this.#noteList(attempt, undefined, thrownMessage(error)))
    this.#attempt = attempt
    this.#note('listing')
    this.#isSlow = false
    connection.then(
      (opened) => {
        this.#failures = 0
        if (this.#attempt === attempt) this.#open = opened
      },
      (error: unknown) => {
        // While the session closes, its end is still awaited.
        if (this.#attempt === attempt && !closing.aborted) {
          this.#attempt = undefined
          this.#noteEnd('not-connected', thrownMessage(error))
        }
        const longest = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS)
        this.#failures += 1
        this.#notBefore = clock.monotonic() + longest
      },
    )
    return attempt
  }

  /** Registers other tools after those that are being registered. Until then, they are announced. */
  #announce(attempt: Attempt, listing: ServerListing | Promise<ServerListing>): void {
    const before = attempt.announced?.read ?? attempt.listing
    const register = async () => {
      try {
        const listed = await listing
        await before.catch(() => undefined)
        attempt.known = listed
        await this.#register(attempt, read)
      } catch (error) {
        this.#noteList(attempt, read, thrownMessage(error))
      }
      if (attempt.announced?.read === read) attempt.announced = undefined
    }
    this.#note('changed')
    const read = register()
    attempt.announced = { read, until: this.#host.clock.monotonic() + MOST_WAIT_MS }
  }

  /**
   * Registers the tools of a connection. Those that change too much in a minute wait, and the last ones are registered.
   *
   * @param read the announced list that they are from
   */
  async #register(attempt: Attempt, read?: Promise<void>): Promise<void> {
    const { known } = attempt
    const isNever = (some: number) => this.#changes.waitMs(some) === Infinity
    const bytes = changedBytes(known, this.#registered, isNever)
    const waitMs = this.#changes.waitMs(bytes)
    const over = this.#changes.take(bytes)
    if (over === null) {
      this.#registered = known
      await this.#host.onListing(known)
      this.#noteList(attempt, read)
      return
    }
    const later = waitMs === Infinity ? ATTACH_AGAIN : 'They are registered later.'
    const problem = `The server "${this.server.name}" sent ${over}. ${later}`
    this.#host.onFlood(problem)
    this.#noteList(attempt, read, problem)
    if (waitMs < Infinity && !this.#isWaiting) void this.#registerLater(attempt, waitMs)
  }

  async #registerLater(attempt: Attempt, waitMs: number): Promise<void> {
    const { clock, closing } = this.#host
    const signal = AbortSignal.any([attempt.end.signal, closing])
    this.#isWaiting = true
    await (clock.pause?.(waitMs, signal) ?? pause(waitMs, signal))
    this.#isWaiting = false
    if (!signal.aborted) await this.#register(attempt).catch(() => undefined)
  }

  #note(status: HealthStatus['status'], problem: string | null = null): void {
    this.#status = { status, since: this.#host.clock.now(), problem }
  }

  /** Notes that the tools of a connection are registered, or why not, unless it announced others after this list. */
  #noteList(attempt: Attempt, read: Promise<void> | undefined, problem?: string): void {
    if (this.#attempt !== attempt || attempt.announced?.read !== read) return
    const { isEndless, leftOut } = attempt.known
    if (problem !== undefined) this.#note('failed-refresh', problem)
    else if (isEndless === true) this.#note('endless-pages', leftOut.at(-1)?.reason ?? null)
    else if (this.#status.status !== 'connected') this.#note('connected')
  }

  #noteEnd(status: HealthStatus['status'], problem: string | null): void {
    this.#stderr = this.#open?.stderr?.() ?? this.#stderr
    this.#open = undefined
    this.#note(status, problem)
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

  #drop(attempt: Attempt, error: Error): void {
    if (this.#attempt !== attempt) return
    const { message } = error
    if (WorkspaceError.is(error) && error.code === 'SERVER_FLOODS') this.#host.onFlood(message)
    this.#attempt = undefined
    this.#noteEnd('cut', message)
    this.#lost.push(this.#host.clock.monotonic())
    void endAttempt(attempt, new Error('The connection was lost.'))
  }
}

const ATTACH_AGAIN = 'Attach it again to take all of its tools.'
