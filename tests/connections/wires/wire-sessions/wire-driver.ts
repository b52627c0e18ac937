import type { VirtualWorkspace, WorkspaceOptions } from 'loadout'
import type { Wire } from '../../../wires/wire.ts'

/** One way to send the requests of a workspace: an adapter with a client of its provider. */
export interface WireDriver {
  readonly name: string
  readonly wire: Wire
  readonly options: Pick<WorkspaceOptions, 'provider'>
  /** Opens a conversation of a host, which keeps its own messages. */
  converse(url: string, options: ConverseOptions): WireConversation
}

export interface ConverseOptions {
  readonly trim?: { readonly above: number; readonly keep: number }
}

export interface WireConversation {
  /** The host's messages, in the form of the wire. It may change them between turns. */
  messages: unknown[]
  /** True for turns with the other model of the driver. */
  usesOther: boolean
  /** Adds a message of the user, if there is one, and carries on until the model answers without calls. */
  turn(workspace: VirtualWorkspace, text: string | null, signal: AbortSignal): Promise<void>
  /** For each request: the number of parts of the body that each message of its conversation became. */
  readonly sizes: (readonly number[])[]
}
