import type { Entry } from '../../engine/model/event.ts'
import type { Surroundings } from '../../engine/model/surroundings.ts'
import type { Journal } from './journal.ts'
import type { Outcome } from './outcome.ts'
import type { ImmediateLog } from '../log/immediate-log.ts'
import type { Clock } from '../log/ports.ts'
import type { RunHook } from './run-hooks.ts'
import type { SessionStore } from './session-store.ts'

/** What carrying out commands takes. */
export interface DispatcherParts {
  readonly journal: Journal
  readonly clock: Clock
  /** The log of the journal, when it commits at once. */
  readonly immediate?: ImmediateLog | undefined
  readonly store: SessionStore
  readonly surroundings: Surroundings
  readonly runHook: RunHook
  readonly readOnly: boolean
  /** Confirmations whose time is over by the clock that never goes back. */
  outlived(): readonly string[]
  /** Once a plan is committed: end the calls in flight of the skills that left. */
  abortCallsOf(skills: readonly string[]): void
  /** Once per command, with what it came to and the entries it left. */
  notify(outcome: Outcome, entries: readonly Entry[]): void
}
