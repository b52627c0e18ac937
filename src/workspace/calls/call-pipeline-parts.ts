import type { Surroundings } from '../../engine/model/surroundings.ts'
import type { CallOutput, OnCallOutput } from '../../tools/definition/call-output.ts'
import type { Principal } from '../../tools/definition/tool-context.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { CallLimits, CallProgress } from './call-request.ts'
import type { CallsInFlight } from './calls-in-flight.ts'
import type { Dispatcher } from '../commands/dispatcher.ts'
import type { Clock } from '../log/ports.ts'
import type { KnownIntents } from './intents/known-intents.ts'
import type { Randomness } from '../log/randomness.ts'
import type { ResumedHooks } from '../commands/resumed-hooks.ts'
import type { SessionStore } from '../commands/session-store.ts'

/** What calling tools takes. */
export interface CallPipelineParts {
  readonly session: string
  readonly dispatcher: Dispatcher
  readonly store: SessionStore
  readonly surroundings: Surroundings
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
