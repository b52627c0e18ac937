import type { HookCall } from '../../engine/decide/decision.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { Entry } from '../../engine/model/workspace-event.ts'
import type { Journal } from './journal.ts'
import type { Outcome } from './outcome.ts'
import type { ParentSession } from './parent-session.ts'
import type { SessionStore } from './session-store.ts'
import type { Clock } from '../log/clock.ts'

/** Runs one hook until it ends or reaches its time limit; rejects with its error. */
export type RunHook = (call: HookCall, undo: boolean) => Promise<void>

/** Everything the dispatcher of a session works with. */
export interface DispatcherParts {
  readonly journal: Journal
  readonly clock: Clock
  readonly store: SessionStore
  readonly context: EngineContext
  readonly runHook: RunHook
  readonly readOnly: boolean
  /** The parent of a child session; null for any other. */
  readonly parent: ParentSession | null
  /** Aborted when the workspace closes. */
  readonly closing: AbortSignal
  /** Ids of the confirmations that have expired by the monotonic clock. */
  outlived(): readonly string[]
  /** Waits until the running calls of some skills have ended, or a time limit; null when none runs. */
  drainCallsOf(skills: readonly string[]): Promise<void> | null
  /** Aborts the running calls of some skills; called once the skills have left. */
  abortCallsOf(skills: readonly string[]): void
  /** Called once per command that left entries. */
  notify(outcome: Outcome, entries: readonly Entry[]): void
}
