import type { Surroundings } from '../../engine/surroundings.ts'
import type { CallOutput, OnCallOutput } from '../../registry/call-output.ts'
import type { Principal } from '../../registry/tool-context.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { ApprovalStore } from '../approvals/approval-store.ts'
import type { CallLimits, CallProgress } from './call-request.ts'
import type { CallsInFlight } from './calls-in-flight.ts'
import type { Dispatcher } from '../dispatcher.ts'
import type { Clock } from '../ports.ts'
import type { KnownIntents } from '../intents/known-intents.ts'
import type { Randomness } from '../randomness.ts'
import type { ResumedHooks } from '../hooks/resumed-hooks.ts'
import type { SessionStore } from '../session-store.ts'

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
