import type { ToolComponent } from '../../components/define-component.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { Principal } from '../../tools/definition/tool-context.ts'
import type { ChildSessions, OpenParent } from './child-sessions.ts'
import type { CurrentCatalog } from './current-catalog.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { Following } from './following.ts'
import type { HandlerBindings } from './handler-bindings.ts'
import type { Journal } from './journal.ts'
import type { ResumedHooks } from './resumed-hooks.ts'
import type { SessionStore } from './session-store.ts'
import type { Clock } from '../log/clock.ts'
import type { DefinitionRegistry } from '../log/definition-registry.ts'
import type { EventLog } from '../log/event-log.ts'

/**
 * The facts that the engine reads, in addition to the state. The host may give other rules, with other functions and
 * places.
 */
export type SessionContext = Omit<EngineContext, 'functions' | 'places'> & {
  functions: NonNullable<EngineContext['functions']>
  places: NonNullable<EngineContext['places']>
}

/** The journal of an open session: its log, the state that is folded from it, and what changes both. */
export interface SessionJournal {
  readonly session: string
  readonly log: EventLog
  readonly clock: Clock
  readonly store: SessionStore
  readonly context: SessionContext
  readonly dispatcher: Dispatcher
  /** Aborted when the workspace closes: nothing of the host is awaited any more. */
  readonly closing: AbortController
  /** The child sessions that are open in this process. */
  readonly children: ChildSessions
  /** The parent of a child session; null for any other. */
  readonly parent: OpenParent | null
  readonly resumed: ResumedHooks
  readonly definitions: DefinitionRegistry
  /** The host's objects for handlers and hooks: those of the turn, or else those of the session. */
  services: unknown
  readonly sessionServices: unknown
  /** The key of the history in the last request of this process; null without one. Other processes may have gone on since. */
  history: string | null
  readonly principal: Principal | undefined
  readonly current: CurrentCatalog
  readonly journal: Journal
  readonly components: Map<string, ToolComponent>
  readonly handlers: HandlerBindings
  readonly following: Following
  /** The log had no entry of the session when it was opened. */
  readonly isNew: boolean
  /** The process attached to the session of another host. */
  readonly attached: boolean
}
