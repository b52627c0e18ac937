import type { ApprovalScope } from './consent-event.ts'
import type { ExtractionResult, MemoryEntity } from './memory-event.ts'
import type { ToolSource } from './source-event.ts'
import type { CallTokens } from './step-cost.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import type { ToolCategory } from '../../tools/definition/tool.ts'
import type { Intent } from '../../tools/intents/intent.ts'
import type { ErrorType } from '../../tools/response/error-type.ts'

/** A call, from what let it begin to what became of it. */
export type CallEvent =
  | {
      readonly type: 'call.started'
      readonly call: string
      readonly tool: string
      readonly source: ToolSource
      readonly owner: string
      readonly hash: ContentHash
      /** Digest of the validated arguments; the arguments stay with the caller. */
      readonly digest: ContentHash
      readonly category: ToolCategory
      readonly caller: Caller
      /** The call whose handler made this one. */
      readonly within?: string
      /** The confirmation this call uses up. */
      readonly confirmation: string | null
      /** The remembered approval it runs by, when it needed one. */
      readonly approval?: Exclude<ApprovalScope, 'call'>
      /** How long it may run, in milliseconds. */
      readonly limitMs?: number
      /** What it should stay under, in milliseconds: reported, not enforced. Absent without a target. */
      readonly targetMs?: number
    }
  | {
      readonly type: 'call.ended'
      readonly call: string
      readonly tool: string
      readonly ok: boolean
      readonly error: ErrorType | null
      readonly durationMs: number
      readonly intents: readonly Intent[]
      /** Absent where nobody counts. */
      readonly tokens?: CallTokens
      /** They wait to be applied. Absent in logs from before there was an orchestrator. */
      readonly intentsWait?: true
      /** How often its handler ran, when that was more than once. */
      readonly attempts?: number
      /** What it came to; kept for calls in the background only. */
      readonly result?: BackgroundResult
      /** What the result was about, for working memory: at most five. Absent means none. */
      readonly entities?: readonly MemoryEntity[]
      /** What became of the extraction; absent for a failure, and a tool that extracts nothing. */
      readonly extraction?: ExtractionResult
    }

/** A call that has started, and neither ended nor been given up. */
export interface OpenCall {
  readonly call: string
  readonly tool: string
  readonly source: ToolSource
  readonly owner: string
  readonly since: number
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number
  /** How long it may run, in milliseconds; null where nobody said. */
  readonly limitMs: number | null
}

/** How often a tool was called in the session, by the name it went by, and how that went. */
export interface ToolUse {
  readonly tool: string
  readonly count: number
  readonly lastSeq: number
  readonly lastTurn: number
  /** How its last call that ended did so; null before one. */
  readonly lastResult: 'success' | 'error' | null
  /** Its uses before what the last call happened in (see `toldSince`); null when it had none. */
  readonly before: Pick<ToolUse, 'count' | 'lastResult'> | null
}

/** The calls of a session that are running, and how often its tools were called. */
export interface CallState {
  readonly calls: readonly OpenCall[]
  readonly used: readonly ToolUse[]
  /** Calls started in this turn, by category of tool; those of meta-tools apart. */
  readonly callsThisTurn: Readonly<Record<ToolCategory, number>>
  /** Calls started in the session, but for those of meta-tools. */
  readonly callsInSession: number
}

export const NO_CALLS: CallState['callsThisTurn'] = { retrieval: 0, action: 0, utility: 0 }

export const EMPTY_CALLS: CallState = {
  calls: [],
  used: [],
  callsThisTurn: NO_CALLS,
  callsInSession: 0,
}

/**
 * What a background call came to, as the log keeps it: whoever is to be told was not waiting, and may
 * be another process.
 */
export type BackgroundResult =
  | {
      readonly ok: true
      /** The data; the beginning of its JSON, as text, when it was too long to be kept. */
      readonly data: JsonValue
      /** Bytes of JSON the whole had, when only its beginning is kept. */
      readonly cutFrom?: number
    }
  | { readonly ok: false; readonly message: string }

/** A call had its answer before it ended, and goes on in the background. */
export interface BackgroundEvent {
  readonly type: 'call.detached'
  readonly call: string
  readonly tool: string
  /** Who is to be told what it comes to. */
  readonly caller: Caller
}

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
