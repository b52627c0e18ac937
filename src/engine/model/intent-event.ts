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
