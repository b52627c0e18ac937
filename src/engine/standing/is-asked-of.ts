import type { OpenSource } from '../model/source-state.ts'
import type { PendingConfirmation } from '../model/confirmation-state.ts'

/**
 * Whether a question is about the tool of this owner: another's of the same name and definition may act on
 * something else.
 */
export function isAskedOf(
  asked: Pick<PendingConfirmation, 'source' | 'owner'>,
  { owner: { source, owner } }: { readonly owner: Pick<OpenSource, 'source' | 'owner'> },
): boolean {
  return asked.owner === undefined || (asked.owner === owner && asked.source === source)
}
