import type { JsonValue } from '../../kernel/json.ts'

/** One value that a handler yielded before its result; never logged. */
export interface CallOutput {
  readonly call: string
  readonly tool: string
  /** Plain data; of an envelope, what is in it. */
  readonly output: JsonValue
  /** Counts from 0 within one attempt. */
  readonly index: number
  /** Counts from 1: a call that is tried again begins its outputs anew. */
  readonly attempt: number
}

/**
 * Gets the outputs of a call in their order. The handler is asked for the next one when this has
 * resolved; a listener that throws is the host's to mend, and the call goes on.
 */
export type OnCallOutput = (output: CallOutput) => void | Promise<void>
