import type { SessionAbove } from '../model/child-event.ts'
import type { SettledConfirmation } from '../model/consent-event.ts'
import type { Policy } from '../model/policy.ts'
import type { Draft, WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'

/** The policies, and the answers to its questions, that a child session takes over from its parent. */
export interface Inheritance {
  /** The policy of the parent, then those of the sessions above it. */
  readonly above: readonly Policy[]
  /** The sessions that they were read from. */
  readonly asOf: readonly [SessionAbove, ...(readonly SessionAbove[])]
  /** The budgets without a call left, of a parent that is open in this process. */
  readonly spent?: WorkspaceState['spentAbove']
  /** The questions of the child that were answered in the parent. */
  readonly answers: readonly SettledConfirmation[]
}

/** Returns the entries with which a child session takes over what has changed in its parent. */
export function inheritedDrafts(
  { policy, confirmations }: WorkspaceState,
  { above, asOf, answers }: Inheritance,
): readonly Draft[] {
  const isSame =
    policy.above === above || canonicalJson(policy.above ?? []) === canonicalJson(above)
  const events: readonly WorkspaceEvent[] = [
    ...(isSame ? [] : [{ type: 'policy.changed' as const, policy: { ...policy, above }, asOf }]),
    ...confirmations.flatMap(({ id }) => {
      const answer = answers.find((one) => one.id === id)
      if (answer === undefined) return []
      const { consent, ...given } = answer
      return { type: `confirmation.${consent}` as const, ...given }
    }),
  ]
  return events.map((event) => ({ cause: { by: 'parent', ...asOf[0] }, event }))
}
