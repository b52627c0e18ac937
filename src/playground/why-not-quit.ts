import type { WorkspaceState } from '../engine/state.ts'
import type { UiState } from './ui-state.ts'

/** What is pending and would be lost or left open by leaving; null when nothing is. */
export function whyNotQuit(
  { busy, changes }: Pick<UiState, 'busy' | 'changes'>,
  { confirmations }: Pick<WorkspaceState, 'confirmations'>,
): string | null {
  const open = confirmations.filter(({ consent }) => consent === 'pending').length
  const reasons = [
    ...(busy === null ? [] : [`${busy} is under way`]),
    ...(open === 0 ? [] : [`${counted(open, 'confirmation')} not answered`]),
    ...(changes.length === 0 ? [] : [`${counted(changes.length, 'change')} on disk not taken`]),
  ]
  return reasons.length === 0 ? null : `${reasons.join('; ')}.`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
