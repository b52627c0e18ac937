import type { ApprovalScope, ConditionAnswer } from './consent-event.ts'
import type { ExtractionResult, MemoryEntity } from './memory-event.ts'
import type { RuleAnswer } from './policy.ts'
import type { ToolSource } from './source-event.ts'
import type { CallTokens } from './step-cost.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import type { Caller } from '../../tools/definition/tool-context.ts'
import type { ToolCategory } from '../../tools/definition/tool.ts'
import type { Intent } from '../../tools/intents/intent.ts'
import type { ContentPart } from '../../tools/response/content-part.ts'
import type { ErrorType } from '../../tools/response/error-type.ts'

/** The start and the end of a call. */
export type CallEvent =
  | {
      readonly type: 'call.started'
      readonly call: string
      /** The id that came with it, when a call of an earlier step runs under that id. */
      readonly given?: string
      readonly tool: string
      readonly source: ToolSource
      readonly owner: string
      readonly hash: ContentHash
      /** Digest of the validated arguments; the arguments stay with the caller. */
      readonly digest: ContentHash
      /** The digest of the arguments that a person was asked about, and replaced. Absent when it ran with its own. */
      readonly asked?: ContentHash
      /** The repairs of its arguments, in words, each with its place. Absent when it ran with those that were given. */
      readonly repaired?: readonly string[]
      readonly category: ToolCategory
      readonly caller: Caller
      /** The call whose handler made this one. */
      readonly within?: string
      /** The entry that started it before, for a call that was interrupted and runs again. It counts once. */
      readonly again?: number
      /** The key of the history in the request that it answers. Absent where that is the last request of the session. */
      readonly history?: string
      /** The confirmation that this call consumes. */
      readonly confirmation: string | null
      /** The scope of the remembered approval that allows it, if it needed one. */
      readonly approval?: Exclude<ApprovalScope, 'call'>
      /** The answers of the functions of rules about it. */
      readonly answers?: readonly RuleAnswer[]
      /** The answer of the tool's condition; absent when it has none. */
      readonly condition?: ConditionAnswer
      /** Its time limit in milliseconds; absent without one. */
      readonly limitMs?: number
      /** Its target duration in milliseconds: reported, not enforced. Absent without a target. */
      readonly targetMs?: number
    }
  | ({
      readonly type: 'call.ended'
      readonly call: string
      readonly tool: string
      readonly ok: boolean
      readonly error: ErrorType | null
      readonly durationMs: number
      readonly intents: readonly Intent[]
      /** Absent without a counter. */
      readonly tokens?: CallTokens
      /**
       * The intents wait for an orchestrator. Absent in logs written before orchestrators existed.
       */
      readonly intentsWait?: true
      /** The number of times its handler ran, when more than one. */
      readonly attempts?: number
      /** Its result, for calls in the background only. */
      readonly result?: BackgroundResult
      /** Entities in the result, for working memory: at most five. Absent means none. */
      readonly entities?: readonly MemoryEntity[]
      /**
       * The outcome of the extraction; absent for a failed call, and for a tool that extracts
       * nothing.
       */
      readonly extraction?: ExtractionResult
    } & RecordedContent)

/** A result that was longer than a result may be, or than a model may read. */
export interface CutFacts {
  readonly bytes: number
  /** The digest of all of it, if the store of the host has it. */
  readonly digest?: ContentHash
  /** The characters that the model got, and those that `read_result` can give. Absent where it read none of it. */
  readonly shown?: number
  readonly length?: number
}

/** The parts of a result as the log records them. */
export interface RecordedContent {
  /** Present when its result was longer than a result may be, or than a model may read. */
  readonly cut?: CutFacts
  /** True for a call of the model that found nothing. Absent for one that found something, and for actions. */
  readonly empty?: true
  /** The hash under which its result is stored, for a call that is made again and for `read_result`. Absent when it is not kept. */
  readonly stored?: ContentHash
  /** The parts, at most twenty; absent when there are none. */
  readonly content?: readonly RecordedPart[]
  /** The number of further parts. */
  readonly contentLeftOut?: number
  /** The warnings that the handler returned, at most five; absent without any. */
  readonly warnings?: readonly string[]
}

/** A part of a result as the log records it: without its text or data. */
export interface RecordedPart {
  readonly type: ContentPart['type']
  readonly mediaType?: string
  readonly name?: string
  readonly bytes: number
  /** Hash of its data, of its text in UTF-8, or of the URI of a link. */
  readonly digest: ContentHash
}

/** A call that has started and has neither ended nor been abandoned. */
export interface OpenCall {
  readonly call: string
  readonly tool: string
  readonly source: ToolSource
  readonly owner: string
  readonly since: number
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number
  /** Its time limit in milliseconds; null without one. */
  readonly limitMs: number | null
}

/** The use of one tool in the session, by the name the tool has there. */
export interface ToolUse {
  readonly tool: string
  readonly count: number
  readonly lastSeq: number
  readonly lastTurn: number
  /** The definition of its last call, when a condition of it answered. */
  readonly conditional?: ContentHash
  /** The outcome of the last call that has ended; null before one. */
  readonly lastResult: 'success' | 'error' | null
  /** The entry with which it ended; absent before one. */
  readonly lastEnd?: number
  /** The use before `toldSince`; null when there was none. */
  readonly before: Pick<ToolUse, 'count' | 'lastResult'> | null
}

/** Calls of the model with the same arguments in this turn, since something else changed. */
export interface SameCalls {
  readonly hash: ContentHash
  readonly owner: string
  readonly digest: ContentHash
  readonly times: number
}

/** The last calls of a tool by the model that all found nothing, in this turn, since something else changed. */
export interface EmptyCalls {
  readonly tool: string
  readonly owner: string
  readonly times: number
}

/** Returns true for two calls of one tool with the same arguments. */
export function isSameCall(
  one: Pick<SameCalls, 'hash' | 'owner' | 'digest'>,
  other: Pick<SameCalls, 'hash' | 'owner' | 'digest'>,
): boolean {
  return one.digest === other.digest && one.hash === other.hash && one.owner === other.owner
}

/** The running calls of a session, and the use of its tools. */
export interface CallState {
  readonly calls: readonly OpenCall[]
  /** The calls that the client has not answered. */
  readonly waiting: readonly OpenCall[]
  readonly used: readonly ToolUse[]
  /** Calls started in this turn, by category of tool, without those of meta-tools. */
  readonly callsThisTurn: Readonly<Record<ToolCategory, number>>
  /** Calls started in the session, without those of meta-tools. */
  readonly callsInSession: number
  /** The latest is last. */
  readonly sameCalls: readonly SameCalls[]
  readonly emptyCalls: readonly EmptyCalls[]
}

export const NO_CALLS: CallState['callsThisTurn'] = { retrieval: 0, action: 0, utility: 0 }

export const EMPTY_CALLS: CallState = {
  calls: [],
  waiting: [],
  used: [],
  callsThisTurn: NO_CALLS,
  callsInSession: 0,
  sameCalls: [],
  emptyCalls: [],
}

/**
 * The result of a background call, as the log keeps it. Its reader was not waiting for it, and may
 * be in another process.
 */
export type BackgroundResult =
  | {
      readonly ok: true
      /** The data. When it was too long, the beginning of its JSON as text. */
      readonly data: JsonValue
      /** Bytes of the complete JSON, when only its beginning is kept. */
      readonly cutFrom?: number
      /** The parts as text, for the model; binary data is described. Absent without parts. */
      readonly content?: string
      /** Bytes of the complete text, when only its beginning is kept. */
      readonly contentCutFrom?: number
    }
  | { readonly ok: false; readonly message: string }

/** A call was answered before it ended, and continues in the background, or waits for the client. */
export interface BackgroundEvent {
  readonly type: 'call.detached'
  readonly call: string
  readonly tool: string
  /** The caller that gets the result later. */
  readonly caller: Caller
  /** The client answers it: nothing runs. */
  readonly client?: true
}

/** A background call that has not ended. */
export interface RunningBackgroundCall {
  readonly call: string
  readonly tool: string
  readonly caller: Caller
  /** The entry that moved it to the background. */
  readonly since: number
}

/** A background call that has ended, with the result for the model. */
export interface EndedBackgroundCall {
  readonly call: string
  readonly tool: string
  readonly error: ErrorType | null
  readonly result: BackgroundResult
  /** The entry that ended it. */
  readonly seq: number
}

/** Results that are sent to the model together. */
export interface BackgroundResults {
  /** Oldest first, at most ten. */
  readonly calls: readonly EndedBackgroundCall[]
  /** Ids of further results; the model can ask for these by id. */
  readonly leftOut: readonly string[]
}

/** The background calls of a session. */
export interface BackgroundState {
  readonly background: {
    readonly running: readonly RunningBackgroundCall[]
    /** Results of the model's calls since the last step. */
    readonly untold: BackgroundResults
    /** Results that the latest step with results sent. */
    readonly told: BackgroundResults
  }
}

const NO_RESULTS: BackgroundResults = { calls: [], leftOut: [] }

export const EMPTY_BACKGROUND: BackgroundState = {
  background: { running: [], untold: NO_RESULTS, told: NO_RESULTS },
}
