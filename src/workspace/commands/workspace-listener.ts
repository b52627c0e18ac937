import type { Entry } from '../../engine/model/workspace-event.ts'
import type { Outcome } from './outcome.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'

/**
 * Called once per command, with its outcome and its entries.
 *
 * @param origin `own` for a command of this workspace; `foreign` for one of another workspace on the same
 *   session, mostly in another process. The latter are only reported while the session is followed
 */
export type WorkspaceListener = (
  outcome: Outcome,
  entries: readonly Entry[],
  origin: 'own' | 'foreign',
) => void

/** Returns a listener that calls all of these, including those that are added later. */
export function notifyAll(listeners: ReadonlySet<WorkspaceListener>): WorkspaceListener {
  return (outcome, entries, origin) => {
    for (const listener of listeners) void notifyListener(() => listener(outcome, entries, origin))
  }
}

/** Calls a listener. Never rejects: a listener that fails leads to a warning of the process. */
export async function notifyListener(listener: () => unknown): Promise<void> {
  try {
    await listener()
  } catch (error) {
    emitWarning(error)
  }
}

/** Reports an error that no caller awaits, as a warning of the process. */
export function emitWarning(error: unknown): void {
  const detail = error instanceof Error && error.stack !== undefined ? error.stack : ''
  process.emitWarning(thrownMessage(error), { type: 'LoadoutListenerWarning', detail })
}
