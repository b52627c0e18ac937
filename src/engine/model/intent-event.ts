import type { Intent } from '../../tools/intents/intent.ts'

/** The reason an intent was not applied. */
export type IntentFailure =
  /** The host's handler threw, rejected or ran out of time. Its effects until then are unknown. */
  | 'handler-failed'
  /** The host has no handler for it. */
  | 'no-handler'
  /** Its orchestrator never reported an outcome: the process died, or lost its log. */
  | 'interrupted'
  /** It was not applied, and too many newer intents were waiting. */
  | 'queue-full'

/**
 * Events about turns and intents: what the orchestrator did with the intents that tools returned.
 */
export type IntentEvent =
  /** The answer to the user's message is complete; calls may still run. */
  | { readonly type: 'turn.ended'; readonly turn: number }
  /** An orchestrator runs the host's handler for it; no other one does. */
  | {
      readonly type: 'intent.taken'
      readonly id: string
      readonly intent: string
      /** The orchestrator that took it. */
      readonly taker: string
      /**
       * Wall clock, milliseconds since 1970. Without an outcome by then the intent counts as
       * interrupted.
       */
      readonly until: number
    }
  | { readonly type: 'intent.applied'; readonly id: string; readonly intent: string }
  | {
      readonly type: 'intent.failed'
      readonly id: string
      readonly intent: string
      readonly code: IntentFailure
      readonly message: string
    }

/** An intent that was returned and has neither been applied nor failed. */
export interface PendingIntent extends Intent {
  /** The entry that ended its call, and its place in that entry: `17.0`. */
  readonly id: string
  readonly call: string
  readonly tool: string
  /** The turn it was returned in; 0 before the first. */
  readonly turn: number
  /** The orchestrator that runs the host's handler for it, and its time limit. */
  readonly taken: { readonly by: string; readonly until: number } | null
}

/**
 * The effects of the built-in intents. Each lasts from its application until the next turn begins,
 * since a new turn continues the conversation.
 */
export interface SessionControls {
  /** The voice session is over once the answer is spoken. */
  readonly ended: boolean
  readonly audioSuppressed: boolean
  readonly transcriptSuppressed: boolean
  /** The text to say in this turn, set in an earlier one. */
  readonly pendingMessage: string | null
}

/** The state of intents in a session. Its size is limited, whatever tools return. */
export interface IntentState {
  /** In the order they were returned. */
  readonly intents: readonly PendingIntent[]
  readonly controls: SessionControls
  /** The latest turn whose answer was complete; -1 before one. */
  readonly endedTurn: number
}

export const NO_CONTROLS: SessionControls = {
  ended: false,
  audioSuppressed: false,
  transcriptSuppressed: false,
  pendingMessage: null,
}

export const EMPTY_INTENTS: IntentState = { intents: [], controls: NO_CONTROLS, endedTurn: -1 }

/** Returns the intents that are due, including taken ones, in the order they were returned. */
export function dueIntents(
  state: Pick<IntentState, 'intents' | 'endedTurn'> & { readonly turn: number },
): readonly PendingIntent[] {
  return state.intents.filter((intent) => isDue(intent, state))
}

/**
 * Returns true when an intent is due. A turn that was not ended explicitly is over when the next
 * one begins.
 */
export function isDue(
  { when, turn: returned }: Pick<PendingIntent, 'when' | 'turn'>,
  { turn, endedTurn }: Pick<IntentState, 'endedTurn'> & { readonly turn: number },
): boolean {
  switch (when) {
    case 'now':
      return true
    case 'after-turn':
      return turn > returned || endedTurn >= returned
    case 'next-turn':
      return turn > returned
  }
}

/** An intent that a tool returned and the session does not accept, with the reason. */
export interface DroppedIntent {
  /**
   * Stable: `intent-malformed`, `intent-unknown`, `intent-moment`, `intent-payload` or
   * `intent-too-many`.
   */
  readonly code: string
  readonly message: string
  readonly hint: string
}
