import type { CallClient, ContentPart } from '../../../entries/adapter.ts'
import type { Principal, ToolContext, WorkspaceOptions } from '../../../entries/index.ts'
import type { OptionsOf } from '../../../entries/kit.ts'

/** The options of `serveMcp`. */
export interface McpServing<Services = unknown> {
  /** The options of every session. Each client has a session of its own, in the log of these options. */
  readonly workspace: Omit<WorkspaceOptions<Services>, 'session' | 'principal' | 'at' | 'readOnly'>
  /**
   * `fixed`, the default: the list of tools never changes, and tools of skills are called through `call_tool`. It
   * works with every client. `live`: the list has the tools of active skills, and clients of 2025-11-25 are notified when
   * it changes. Other clients get the fixed list.
   */
  readonly mode?: 'fixed' | 'live'
  /** The name that clients show; `loadout` when absent. */
  readonly name?: string
  readonly version?: string
  /** The host's own resources. Files of skills are resources, too. */
  readonly resources?: readonly McpResource[]
  /** The host's own prompts. Skills with placeholders for arguments are prompts, too. */
  readonly prompts?: readonly McpPrompt[]
  /** True when `takeCatalog` will be called, so that clients of 2026-07-28 subscribe to changes of lists. */
  readonly changes?: boolean
  /** Host names that HTTP requests may have; those of this machine when absent. */
  readonly hosts?: readonly string[]
  /** Returns the principal of an HTTP request; null refuses it. Without it, nobody is known by name. */
  authenticate?(request: Request): Principal | null | Promise<Principal | null>
  /** Gets faults that no client sees. */
  onError?(error: Error): void
}

export const SERVING_OPTIONS: OptionsOf<McpServing> = {
  workspace: 'object',
  mode: ['fixed', 'live'],
  name: 'text',
  version: 'text',
  resources: 'list',
  prompts: 'list',
  changes: 'switch',
  hosts: 'texts',
  authenticate: 'function',
  onError: 'function',
}

/**
 * The limits of a session whose client is a program of others. It does not say when a turn begins, so nothing else would
 * end the guards against repeated calls; and it cuts long results itself.
 */
export const CLIENT_LIMITS = {
  sameCalls: Number.MAX_SAFE_INTEGER,
  emptyResults: Number.MAX_SAFE_INTEGER,
  resultTokens: Infinity,
} as const

/** The context of a resource or a prompt: the questions that a handler may ask. */
export interface McpContext extends Pick<
  ToolContext,
  'elicit' | 'sample' | 'roots' | 'principal' | 'services' | 'signal'
> {}

/** A resource of the host. */
export interface McpResource {
  /** A URI, or a template of URIs, such as `orders://{id}`. */
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mediaType?: string
  /** Returns text or bytes. `parameters` are those of the template. */
  read(
    parameters: Readonly<Record<string, string>>,
    context: McpContext,
  ): string | Uint8Array | Promise<string | Uint8Array>
  /** Values that begin with a text, by parameter of the template. */
  readonly complete?: Readonly<Record<string, Completer>>
  /** Calls `changed` whenever the content of a URI changes; returns its undo. */
  watch?(changed: (uri: string) => void): () => void
}

/** A prompt of the host, which a person chooses in a client. */
export interface McpPrompt {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments?: readonly McpPromptArgument[]
  /** Returns messages, or the text of one message of the user. */
  get(
    given: Readonly<Record<string, string>>,
    context: McpContext,
  ): string | readonly McpPromptMessage[] | Promise<string | readonly McpPromptMessage[]>
}

export interface McpPromptArgument {
  readonly name: string
  readonly description?: string
  readonly required?: boolean
  readonly complete?: Completer
}

export interface McpPromptMessage {
  readonly role: 'user' | 'assistant'
  readonly content: ContentPart
}

/** Returns values for an argument of which a person wrote the beginning. */
type Completer = (value: string) => readonly string[] | Promise<readonly string[]>

/** The functions of a client that a handler may ask. */
export type AskingClient = Pick<CallClient, 'elicit' | 'sample' | 'roots' | 'progress' | 'log'>
