import type { ToolSource } from './source-event.ts'
import type { OptionsOf } from '../../kernel/check-options.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { ToolCategory } from '../../tools/definition/tool.ts'

/** A call with the id and the arguments of an earlier one got its recorded result. Nothing ran. */
export interface RetryEvent {
  readonly type: 'call.retried'
  readonly call: string
  readonly tool: string
  /** The entry that started the earlier call. */
  readonly started: number
}

/** A call that was started in a step, so that the same call is not made twice. */
export interface StepCall {
  readonly call: string
  /** The id that came with it: that of the call, unless another call had it. */
  readonly given: string
  readonly tool: string
  readonly source: ToolSource
  readonly owner: string
  readonly hash: ContentHash
  readonly digest: ContentHash
  /** See `call.started`. */
  readonly asked?: ContentHash
  readonly category: ToolCategory
  /** The confirmation with which it started; null when nobody was asked. */
  readonly confirmation: string | null
  /** The entry that started it. */
  readonly since: number
  /** The request to the model whose answer made it. */
  readonly step: number
  /** The key of the history in that request; null where the host shows none, and for a call that no model made. */
  readonly history: string | null
  /** True when the answer that made it was thrown away in this turn: the request was made again, or one before it. */
  readonly isThrownAway?: boolean
  /**
   * `aborted`: its handler was stopped, and `lost`: its process is gone. Both may have had effects.
   * `detached`: it was answered at once, and continued in the background. `client`: it waits for the client.
   */
  readonly status: 'running' | 'ended' | 'aborted' | 'lost' | 'detached' | 'client'
  /** The entry that ended it; null before. */
  readonly ended: number | null
  /** True when it ended with a failure. */
  readonly hasFailed?: boolean
}

/** The run of a workflow engine that makes a step. */
export interface StepRun {
  /** The engine, such as `dbos`. */
  readonly engine?: string
  /** The engine's id of the run, such as a workflow id. Another run with the same history asks the model again. */
  readonly id?: string
  /**
   * The name of the step, the same in each attempt and no other's in the session. By default a step is known by its history,
   * which an attempt may have with other results.
   */
  readonly step?: string
}

export const RUN_OPTIONS: OptionsOf<StepRun> = { engine: 'text', id: 'text', step: 'text' }

/** A later attempt at a step: its request is that of an earlier one. */
export interface StepAttempt {
  /** 2 for the first one that is made again. */
  readonly number: number
  /** The number of the step in its first attempt. */
  readonly step: number
}

/** The answer of the model to a request, which was kept before its calls were made. */
export interface AnswerEvent {
  readonly type: 'step.answered'
  readonly step: number
  /** The key of the history in the request. */
  readonly history: string
  readonly run?: StepRun
  /** The answer is stored under this hash. */
  readonly stored: ContentHash
  /** True when secrets in it were hidden: its calls cannot be made from it. */
  readonly hidden?: true
}

/** A step was made again with the answer that was kept: nothing was sent. */
export interface RepeatEvent {
  readonly type: 'step.repeated'
  readonly history: string
  readonly run?: StepRun
  readonly attempt: StepAttempt
}

/** Keeps the answer to a request before its calls are made, or resumes a step whose answer was kept. */
export type AnswerCommand =
  | ({ readonly type: 'step.answer' } & Omit<AnswerEvent, 'type' | 'step'>)
  | ({ readonly type: 'step.repeat' } & Pick<RepeatEvent, 'history' | 'run'>)

/** A request that was made, by the key of its history, with the entry and the step of its first attempt. */
interface StepRequestMade {
  readonly history: string
  readonly since: number
  readonly turn: number
  /** Absent in snapshots of earlier versions, as the members below are. */
  readonly step?: number
  readonly attempts?: number
  readonly run?: StepRun
  readonly answer?: Pick<AnswerEvent, 'stored' | 'hidden'>
}

/** The calls of the current step and of the one before, for requests and calls that are made again. */
export interface StepCallState {
  readonly stepCalls: {
    /**
     * The entry that began the step: that of its first request. A request with the same history is made
     * again for the same step.
     */
    readonly since: number
    /** The same of the last step before it that had calls. */
    readonly before: number
    /** The latest is last. Calls that handlers make are left out. */
    readonly calls: readonly StepCall[]
    /** The requests of this turn and of the one before, for those that are made again. The latest are in it. */
    readonly requests: readonly StepRequestMade[]
    /** True after the warning about ids that come again. */
    readonly idsRepeat: boolean
  }
}

export const EMPTY_STEP_CALLS: StepCallState = {
  stepCalls: { since: 0, before: 0, calls: [], requests: [], idsRepeat: false },
}

/** Returns the request of a run with this history, if it was made; one of another run is another request. */
export function requestMade(
  { requests }: Pick<StepCallState['stepCalls'], 'requests'>,
  history: string,
  run: StepRun | undefined,
): StepRequestMade | undefined {
  const made = requests.find((one) => one.history === history)
  return made?.run?.id === run?.id && made?.run?.engine === run?.engine ? made : undefined
}

/** The code of the warning about ids that come again. */
export const IDS_REPEAT = 'call-ids-repeat'
