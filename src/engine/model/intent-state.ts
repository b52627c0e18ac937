import type { Intent } from '../../tools/intents/intent.ts'

/** An intent that was returned and neither applied nor given up so far. */
export interface PendingIntent extends Intent {
  /** The entry that ended its call, and its place there: `17.0`. */
  readonly id: string
  readonly call: string
  readonly tool: string
  /** The turn it was returned in; 0 before the first. */
  readonly turn: number
  /** Who runs the host's handler for it, and until when at most. */
  readonly taken: { readonly by: string; readonly until: number } | null
}

/**
 * What the built-in intents come to. Each holds from its application until the next turn begins:
 * whoever begins another turn goes on talking.
 */
export interface SessionControls {
  /** The voice session is over once the answer is spoken. */
  readonly ended: boolean
  readonly audioSuppressed: boolean
  readonly transcriptSuppressed: boolean
  /** What to say in this turn, set in an earlier one. */
  readonly pendingMessage: string | null
}

/** What intents leave in a session; bounded, whatever tools return. */
export interface IntentState {
  /** In the order they were returned. */
  readonly intents: readonly PendingIntent[]
  readonly controls: SessionControls
  /** The turn whose answer was complete last; -1 before one. */
  readonly endedTurn: number
}

export const NO_CONTROLS: SessionControls = {
  ended: false,
  audioSuppressed: false,
  transcriptSuppressed: false,
  pendingMessage: null,
}

export const EMPTY_INTENTS: IntentState = { intents: [], controls: NO_CONTROLS, endedTurn: -1 }
