import type { Intent } from '../../tools/intents/intent.ts'

/** Why an intent did not come about. */
export type IntentFailure =
  /** The host's handler threw, rejected or ran out of time; what it did until then is not known. */
  | 'handler-failed'
  /** The host has no handler for it. */
  | 'no-handler'
  /** Who was applying it never said what came of it: its process died, or lost its log. */
  | 'interrupted'
  /** Nobody applied it, and too many newer ones wait. */
  | 'queue-full'

/** Facts about turns and about intents: what the orchestrator did with what tools asked for. */
export type IntentEvent =
  /** The answer to the user's message is complete; calls may still run. */
  | { readonly type: 'turn.ended'; readonly turn: number }
  /** Somebody runs the host's handler for it now; nobody else does. */
  | {
      readonly type: 'intent.taken'
      readonly id: string
      readonly intent: string
      /** Of the orchestrator that took it. */
      readonly taker: string
      /** Wall clock, milliseconds since 1970; without an end by then it counts as interrupted. */
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

/** The intents whose moment has come, in the order they were returned; taken ones among them. */
export function dueIntents(
  state: Pick<IntentState, 'intents' | 'endedTurn'> & { readonly turn: number },
): readonly PendingIntent[] {
  return state.intents.filter((intent) => isDue(intent, state))
}

/** A turn that nobody said had ended is over when the next one begins. */
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
