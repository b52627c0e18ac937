import type { WorkspaceState } from '../../engine/model/state.ts'
import type { UiState } from '../context/ui-state.ts'

/** What is pending and would be lost or left open by leaving; null when nothing is. */
export function whyNotQuit(
  { busy, changes }: Pick<UiState, 'busy' | 'changes'>,
  { confirmations }: Pick<WorkspaceState, 'confirmations'>,
): string | null {
  const open = confirmations.filter(({ consent }) => consent === 'pending').length
  // What broke waits for its files, not for an answer.
  const waiting = changes.filter(({ what }) => what !== 'broken').length
  const reasons = [
    ...(busy === null ? [] : [`${busy} is under way`]),
    ...(open === 0 ? [] : [`${counted(open, 'confirmation')} not answered`]),
    ...(waiting === 0 ? [] : [`${counted(waiting, 'change')} on disk not taken`]),
  ]
  return reasons.length === 0 ? null : `${reasons.join('; ')}.`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
