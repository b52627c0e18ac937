import type { PendingConfirmation } from '../../engine/model/consent-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { PlaygroundContext } from './playground-context.ts'
import { note } from './ui-state.ts'

/** Returns the confirmations that nobody has answered, the oldest first. */
export function openConfirmations({
  confirmations,
}: Pick<WorkspaceState, 'confirmations'>): readonly PendingConfirmation[] {
  return confirmations.filter(({ consent }) => consent === 'pending')
}

/** Shows the oldest confirmation that nobody has answered, also one that another process asked for. */
export function showConfirmation(context: PlaygroundContext): void {
  const [asked] = openConfirmations(context.workspace().state)
  if (asked === undefined) {
    context.ui.setState({ banner: note('note', 'No confirmation is waiting for an answer.') })
  } else context.ui.setState({ dialog: { kind: 'confirmation', asked, scroll: 0 } })
}
