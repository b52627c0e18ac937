import type { IntentCommand } from '../../../engine/model/intent-command.ts'
import type { PendingIntent } from '../../../engine/model/intent-state.ts'
import type { Outcome } from '../../commands/outcome.ts'
import type { ReadonlySessionStore } from '../../commands/session-store.ts'

/** What a `StateController` needs of a workspace; a `VirtualWorkspace` is one. */
export interface ControlledSession {
  readonly store: ReadonlySessionStore
  recordIntent(command: IntentCommand): Promise<Outcome>
}

/**
 * Brings an intent about in the host's own world. It is run once for an intent, by one process; what it
 * throws is logged and not tried again. The signal says that its time is up.
 */
export type IntentHandler = (intent: PendingIntent, signal: AbortSignal) => unknown

/** How a `StateController` applies intents. */
export interface StateControllerOptions {
  /** By type of intent. A built-in one needs none: it changes `controls` alone. */
  readonly handlers?: Readonly<Record<string, IntentHandler>>
  /** Milliseconds a handler may take; 10,000 when absent. */
  readonly limitMs?: number
  /** Told when the log could not take an entry; the intents wait for the next change. */
  onError?(error: unknown): void
}
