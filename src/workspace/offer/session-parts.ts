import type { ToolComponent } from '../../components/define-component.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { ModeTable } from '../../engine/model/modes.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { ApprovalStore } from '../calls/approval-store.ts'
import type { CallPipeline } from '../calls/call-pipeline.ts'
import type { CallLimits } from '../calls/call-request.ts'
import type { CallsInFlight } from '../calls/calls-in-flight.ts'
import type { Dispatcher } from '../commands/dispatcher.ts'
import type { Following } from '../commands/following.ts'
import type { SessionStore } from '../commands/session-store.ts'
import type { Clock } from '../log/clock.ts'
import type { DefinitionRegistry } from '../log/definition-registry.ts'
import type { EventLog } from '../log/event-log.ts'
import type { Discovery } from './discovery/discovery-options.ts'
import type { ChosenExposure } from './exposure/plan-exposure.ts'

/** The machinery of one open session, put together. */
export interface SessionParts {
  readonly session: string
  readonly log: EventLog
  readonly counter: TokenCounter
  readonly exposure: ChosenExposure
  /** How tools are found; null for a session that shows all of them. */
  readonly discovery: Discovery | null
  readonly limits: CallLimits
  readonly clock: Clock
  /** Where approvals are kept beyond the session; undefined where they are not. */
  readonly approvals: ApprovalStore | undefined
  /** The modes the host defines. */
  readonly modes: ModeTable
  readonly store: SessionStore
  readonly surroundings: EngineContext
  readonly components: Map<string, ToolComponent>
  readonly definitions: DefinitionRegistry
  readonly dispatcher: Dispatcher
  readonly following: Following
  readonly inFlight: CallsInFlight
  readonly pipeline: CallPipeline
  /** The log knew nothing of the session when it was opened. */
  readonly isNew: boolean
}
