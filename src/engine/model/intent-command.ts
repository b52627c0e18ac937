import type { IntentMoment } from '../../tools/intents/intent.ts'
import type { IntentFailure } from './intent-event.ts'

/** Orders of an orchestrator. */
export type IntentCommand =
  /** Be the only one to run the host's handler for an intent whose moment has come. */
  | {
      readonly type: 'intent.take'
      readonly id: string
      readonly taker: string
      /** Milliseconds until it counts as interrupted. */
      readonly limitMs: number
    }
  /** Say what came of an intent: of one that was taken, or of one that takes no handler. */
  | {
      readonly type: 'intent.settle'
      readonly id: string
      readonly taker: string
      /** Null when it was applied. */
      readonly failure: { readonly code: IntentFailure; readonly message: string } | null
    }

/** Orders about turns and intents. */
export type TurnCommand = { readonly type: 'turn.end' } | IntentCommand

/** An intent that a tool returned and the session does not take, with what is wrong with it. */
export interface DroppedIntent {
  /** Stable: `intent-unknown`, `intent-moment`, `intent-payload` or `intent-too-many`. */
  readonly code: string
  readonly type: string
  readonly when: IntentMoment
  readonly message: string
  readonly hint: string
}
