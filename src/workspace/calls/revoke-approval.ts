import { toolsMeant } from '../../engine/decide/tools-meant.ts'
import type { Outcome } from '../commands/outcome.ts'
import type { CommandOptions } from '../open/command-options.ts'
import type { SessionParts } from '../offer/session-parts.ts'

/**
 * Take the approvals of a tool back: in the store first, so that a failure there leaves everything as
 * it was, and is told by rejecting.
 */
export async function revokeApproval(
  { dispatcher, store, surroundings, approvals }: SessionParts,
  tool: string,
  { by = 'host' }: CommandOptions = {},
): Promise<Outcome> {
  const { state } = store.getState()
  const principal = state.opening?.principal ?? null
  let stored = false
  if (approvals !== undefined) {
    for (const one of toolsMeant(state, surroundings, tool)) {
      stored = (await approvals.remove({ ...one, principal })) || stored
    }
  }
  return dispatcher.dispatch({ type: 'approval.revoke', tool, stored }, { by })
}
