import type { Entry } from '../../engine/model/event.ts'
import type { Outcome } from './outcome.ts'

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
