import type { Cause } from '../../engine/model/cause.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { OpenSource } from '../../engine/model/source-event.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { CallOutput, OnCallOutput, Principal } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { ToolResponse } from '../../tools/response/tool-response.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { CallLimits, CallProgress, CallRequest } from './call-request.ts'
import type { CallsInFlight } from './calls-in-flight.ts'
import type { KnownIntents } from './intents/check-intents.ts'
import type { Dispatcher } from '../commands/dispatcher.ts'
import type { ResumedHooks } from '../commands/resumed-hooks.ts'
import type { SessionStore } from '../commands/session-store.ts'
import type { Clock, Randomness } from '../log/clock.ts'

/** What calling tools takes. */
export interface CallPipelineParts {
  readonly session: string
  readonly dispatcher: Dispatcher
  readonly store: SessionStore
  readonly surroundings: EngineContext
  readonly clock: Clock
  readonly limits: CallLimits
  readonly inFlight: CallsInFlight
  readonly resumed: ResumedHooks
  /** What a handler may ask of the orchestrator. */
  readonly intents: KnownIntents
  /** Where approvals are kept beyond the session; undefined where they are not. */
  readonly approvals: ApprovalStore | undefined
  /** Counts the tokens of calls, for metrics; null where nobody does. */
  readonly counter: TokenCounter | null
  readonly services: unknown
  readonly principal: Principal | undefined
  /** Spreads retries. */
  readonly randomness: Randomness
  onProgress(progress: CallProgress): void
  /** Tell the listener of one call, then that of the session. Never rejects. */
  onOutput(output: CallOutput, listener: OnCallOutput | undefined): Promise<void>
}

/** What running a handler takes; a handler calls other tools by `call`. */
export interface RunParts extends CallPipelineParts {
  call(request: CallRequest): Promise<ToolResponse>
}

/** A call whose start the log has. */
export interface StartedCall {
  readonly request: CallRequest
  readonly tool: Tool
  /** Whose tool it is. */
  readonly owner: Pick<OpenSource, 'source' | 'owner'>
  /** The arguments as they were given. */
  readonly given: unknown
  /** As the tool's schema parsed them. */
  readonly input: unknown
  readonly cause: Cause
  /** Its id, after those of the calls it is within. */
  readonly chain: readonly string[]
  /** Why it may end from outside. */
  readonly signal: AbortSignal
  readonly inBackground: boolean
  /** For all attempts together, in milliseconds. */
  readonly limitMs: number
}

/** The id of a call that is started. */
export function startedCallId({ chain }: Pick<StartedCall, 'chain'>): string {
  return chain.at(-1) ?? ''
}
