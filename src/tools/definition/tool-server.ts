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
  /** Names of the environment variables of this process that its program does not get. */
  readonly withheld?: readonly string[]
  /** Returns the terms of the calls of one of its tools. */
  terms?(tool: Tool): ServerTerms
  /**
   * Connects, and lists the tools.
   *
   * Rejects with a `WorkspaceError` whose code says at which stage it failed. Ends when `host.signal` is aborted.
   */
  connect(host: ServerHost): Promise<ServerConnection>
}

/** The terms of the calls of a server, or of one of its tools. */
export interface ServerTerms {
  /** The time limit of one call in milliseconds; that of the session when absent. */
  readonly timeoutMs?: number
  /** Progress starts the time of a call again, until the call has taken `upToMs` milliseconds. */
  readonly renewOnProgress?: { readonly upToMs: number }
  /**
   * The parts that a model reads of a result that has text and structured content. When absent, the text, and the log has a warning
   * where the text is not the data.
   */
  readonly read?: 'text' | 'structured' | 'both'
  /** Tokens that a model reads of one result, `Infinity` for all; the limit of the session when absent. */
  readonly resultTokens?: number
  /** Questions to a person during one call; 20 when absent. */
  readonly maxQuestions?: number
}

/** The side of a workspace that a server reports to. */
export interface ServerHost {
  /** Aborted when the connection is no longer wanted. */
  readonly signal: AbortSignal
  /**
   * Gets the tools again, when the server has other ones: a promise from the moment at which the server says so. The next
   * step, and calls of tools that are not known, wait for it.
   */
  onListing(listing: ServerListing | Promise<ServerListing>): void
  /** Called once, when the connection has ended by itself. */
  onLost(error: Error): void
}

/** An open connection to a server. */
export interface ServerConnection {
  readonly listing: ServerListing
  /** Returns the last lines that its program wrote to its error output. */
  stderr?(): readonly string[]
  /**
   * Resolves when what the server announced before the last result of a call has arrived, or the signal is aborted. Never
   * rejects. Undefined when it has arrived already.
   */
  caughtUp?(signal: AbortSignal): Promise<void> | undefined
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
  /** Tools of the server that are not offered. */
  readonly leftOut: readonly LeftOutTool[]
  /** Tools that are offered without their output schema, which cannot be used. */
  readonly withoutOutput?: readonly LeftOutTool[]
  /** True when its pages lead in a circle, or never end. */
  readonly isEndless?: true
  /** The server's own text for a model; not trusted. */
  readonly instructions?: string
}

/** A tool of a server, or a part of it, that is left out. */
export interface LeftOutTool {
  /** The name that the server gives it; empty for a reason that is not about one tool. */
  readonly tool: string
  /** The name that it would have in a session; absent when that is the name of the server, `_` and that of the tool. */
  readonly name?: string
  readonly reason: string
}

/** The health of the connection of a session to a server. */
export interface ServerHealth {
  readonly server: string
  readonly status:
    | 'not-connected'
    /** It is being connected, and its tools are being listed. */
    | 'listing'
    | 'connected'
    /** It announced other tools, which are being read. */
    | 'changed'
    /** It announced other tools, and they could not be read. Those of the list before are used. */
    | 'failed-refresh'
    /** Its pages of tools lead in a circle, or never end. Those that came are used. */
    | 'endless-pages'
    /** The connection was lost. The next call connects again. */
    | 'cut'
  /** The time at which it got this status, in milliseconds since 1970. */
  readonly since: number
  /** The reason for the status; null for one that has none. */
  readonly problem: string | null
  /** The last lines that its program wrote to its error output. */
  readonly stderr: readonly string[]
  /** Names of the environment variables of this process that its program does not get. */
  readonly withheld: readonly string[]
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
