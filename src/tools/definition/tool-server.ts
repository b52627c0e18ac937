import type { ContentHash } from '../../kernel/content-hash.ts'
import type { HandlerResult, Tool } from './tool.ts'
import type { ToolContext } from './tool-context.ts'

/**
 * A server of tools that a workspace can connect to, such as one that speaks the Model Context Protocol. A definition:
 * it connects to nothing until `connect` is called.
 */
export interface ToolServer {
  /** The owner of its tools. The host chooses it, and never the server. */
  readonly name: string
  /** True when the host trusts what the server says about its tools. */
  readonly trusted: boolean
  /** Covers its configuration, without secrets. */
  readonly hash: ContentHash
  /** Its tools from an earlier listing. With it, the server is connected at the first call, unless it or a skill is eager. */
  readonly listing?: ServerListing
  /** True to connect when a skill that brings it is activated, also with a listing. */
  readonly eager?: boolean
  /** Milliseconds that the connection stays open after the last skill that brings the server has left. */
  readonly graceMs: number
  /**
   * Connects, and lists the tools.
   *
   * Rejects with a `WorkspaceError` whose code says at which stage it failed. Ends when `host.signal` is aborted.
   */
  connect(host: ServerHost): Promise<ServerConnection>
}

/** The side of a workspace that a server reports to. */
export interface ServerHost {
  /** Aborted when the connection is no longer wanted. */
  readonly signal: AbortSignal
  /** Gets the tools again, when the server has other ones. */
  onListing(listing: ServerListing): void
  /** Called once, when the connection has ended by itself. */
  onLost(error: Error): void
}

/** An open connection to a server. */
export interface ServerConnection {
  readonly listing: ServerListing
  /**
   * Calls a tool by the name in its definition. Rejects with a `ToolError`, or with `ConnectionLost`. Ends when the
   * signal of the context is aborted.
   */
  call(tool: string, input: unknown, context: ToolContext): Promise<HandlerResult<unknown>>
  /** Closes it. Resolves when no process of the server is left. */
  close(): Promise<void>
}

/** The tools of a server, and its text. */
export interface ServerListing {
  /** Definitions without handlers. */
  readonly tools: readonly Tool[]
  /** Tools of the server that are not offered, by the names that it gives them. */
  readonly leftOut: readonly { readonly tool: string; readonly reason: string }[]
  /** The server's own text for a model; not trusted. */
  readonly instructions?: string
}

/** The error of a call whose connection has ended. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  /** False when the server surely did not get the call. */
  readonly sent: boolean

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, { cause })
    this.sent = sent
  }

  static is(value: unknown): value is ConnectionLost {
    return value instanceof Error && value.name === 'ConnectionLost' && 'sent' in value
  }
}
