import type { Entry } from '../../engine/model/workspace-event.ts'
import type { Outcome } from './outcome.ts'
import { thrownMessage } from './thrown-message.ts'

/**
 * A command's outcome and the entries it left; told once per command.
 *
 * @param origin whose entries they are: of this workspace, or `foreign`, of another one on the same
 *   session, mostly in another process; those are told where the session is followed
 */
export type WorkspaceListener = (
  outcome: Outcome,
  entries: readonly Entry[],
  origin: 'own' | 'foreign',
) => void

/** Tells every listener there is by then; none can harm another. */
export function notifyAll(listeners: ReadonlySet<WorkspaceListener>): WorkspaceListener {
  return (outcome, entries, origin) => {
    for (const listener of listeners) void notifyListener(() => listener(outcome, entries, origin))
  }
}

/** A listener that throws, or rejects, is the host's to mend; what it was told of stands. */
export async function notifyListener(listener: () => unknown): Promise<void> {
  try {
    await listener()
  } catch (error) {
    const detail = error instanceof Error && error.stack !== undefined ? error.stack : ''
    process.emitWarning(thrownMessage(error), { type: 'LoadoutListenerWarning', detail })
  }
}
