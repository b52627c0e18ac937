import { ConnectionLost, type ServerConnection } from '../../../entries/adapter.ts'
import { ToolError } from '../../../entries/index.ts'
import type { ToolServer } from '../../../entries/kit.ts'
import { untilAborted } from '../../../workspace/commands/with-time-limit.ts'

/** An open connection, or an attempt to connect. */
interface Opened {
  readonly end: AbortController
  readonly connection: Promise<ServerConnection>
  isConnected: boolean
  users: number
  ending?: NodeJS.Timeout
}

/**
 * A connection to a server that is opened when it is used, and shared by all who use it at the same time. It is closed
 * `graceMs` after the last use. Nothing is tried twice: a use that fails rejects, and the next one connects again if the
 * connection was lost.
 */
export class SharedConnection {
  readonly #server: ToolServer
  #current: Opened | undefined

  constructor(server: ToolServer) {
    this.#server = server
  }

  /** Runs work on the connection. Rejects with the reason of the signal when it is aborted, also while connecting. */
  async use<T>(
    signal: AbortSignal,
    work: (connection: ServerConnection) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted()
    const opened = (this.#current ??= this.#open())
    clearTimeout(opened.ending)
    opened.users += 1
    try {
      return await work(await untilAborted(opened.connection, signal))
    } catch (error) {
      signal.throwIfAborted()
      if (!ConnectionLost.is(error)) throw error
      this.#drop(opened)
      throw new ToolError('TRANSIENT', `Server "${this.#server.name}": ${error.message}`)
    } finally {
      opened.users -= 1
      const isUnused = opened.users === 0
      if (isUnused && this.#current === opened && opened.isConnected) {
        opened.ending = setTimeout(() => this.#drop(opened), this.#server.graceMs).unref()
      } else if (isUnused) this.#drop(opened)
    }
  }

  /** Closes the connection. Resolves when no process of the server is left. */
  async close(): Promise<void> {
    const opened = this.#current
    this.#current = undefined
    if (opened !== undefined) await end(opened)
  }

  #open(): Opened {
    const controller = new AbortController()
    const opened: Opened = {
      end: controller,
      isConnected: false,
      users: 0,
      connection: this.#server.connect({
        signal: controller.signal,
        onListing: () => undefined,
        onLost: () => this.#drop(opened),
      }),
    }
    opened.connection.then(
      () => (opened.isConnected = true),
      () => this.#drop(opened),
    )
    return opened
  }

  /** Lets the next use connect again. Uses that go on keep this connection until they end. */
  #drop(opened: Opened): void {
    if (this.#current === opened) this.#current = undefined
    if (opened.users === 0) void end(opened)
  }
}

async function end(opened: Opened): Promise<void> {
  clearTimeout(opened.ending)
  opened.end.abort(new Error('The connection is no longer needed.'))
  await opened.connection.then(
    (connection) => connection.close(),
    () => undefined,
  )
}
