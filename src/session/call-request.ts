import type { Caller } from '../registry/tool-context.ts'

/** A call as it comes to the gate. */
export interface CallRequest {
  /** A name, or `owner/name`. */
  readonly tool: string
  readonly input: unknown
  readonly caller: Caller
  /** The id the model's provider gave the call; one is made when absent. */
  readonly call?: string
  /** The caller gives up. */
  readonly signal?: AbortSignal
}

/** What a running handler reports between its start and its end; never logged. */
export interface CallProgress {
  readonly call: string
  readonly tool: string
  readonly message?: string
  /** From 0 to 1. */
  readonly fraction?: number
}

/** Limits of every call of a session. */
export interface CallLimits {
  /** Milliseconds a handler may take unless its tool says otherwise. */
  readonly timeoutMs: number
  /** Bytes of JSON a result may have. */
  readonly maxBytes: number
  /** How long a confirmation can be given, in milliseconds. */
  readonly confirmationMs: number
  /** How long a leaving skill waits for its calls before it aborts them, in milliseconds. */
  readonly drainMs: number
}

export const DEFAULT_CALL_LIMITS: CallLimits = {
  timeoutMs: 60_000,
  maxBytes: 1_048_576,
  confirmationMs: 600_000,
  drainMs: 5_000,
}
