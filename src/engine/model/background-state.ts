import type { ErrorType } from '../../tools/response/error-type.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import type { BackgroundResult } from './background-event.ts'

/** A background call that has not ended. */
export interface RunningBackgroundCall {
  readonly call: string
  readonly tool: string
  readonly caller: Caller
  /** The entry that let it go on in the background. */
  readonly since: number
}

/** A background call that has ended, and what of it the model is told. */
export interface EndedBackgroundCall {
  readonly call: string
  readonly tool: string
  readonly error: ErrorType | null
  readonly result: BackgroundResult
  /** The entry that ended it. */
  readonly seq: number
}

/** Results that are told together. */
export interface BackgroundResults {
  /** The oldest first; at most ten. */
  readonly calls: readonly EndedBackgroundCall[]
  /** Those that were too many: they can be asked for by their id. */
  readonly leftOut: readonly string[]
}

/** What background calls leave in a session. */
export interface BackgroundState {
  readonly background: {
    readonly running: readonly RunningBackgroundCall[]
    /** What models' calls came to since the last step. */
    readonly untold: BackgroundResults
    /** What the latest step that told any told. */
    readonly told: BackgroundResults
  }
}

const NO_RESULTS: BackgroundResults = { calls: [], leftOut: [] }

export const EMPTY_BACKGROUND: BackgroundState = {
  background: { running: [], untold: NO_RESULTS, told: NO_RESULTS },
}
