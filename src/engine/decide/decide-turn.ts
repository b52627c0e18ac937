import type { Order } from '../model/command.ts'
import { DEFAULT_KEEPING } from '../model/discovery-rules.ts'
import { overdue } from './evictions.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import { accepted, type Decision } from './decision.ts'
import { evicted } from './evicted.ts'
import { isExpired } from '../standing/is-expired.ts'

/**
 * Begin a turn, and let go what ends with the one before: questions past their time, and found tools
 * past theirs. Skills whose lifetime ends need their hooks, so they go by commands of their own.
 */
export function decideTurn(state: WorkspaceState, order: Order, around: Surroundings): Decision {
  const turn = state.turn + 1
  const keep = around.discovery?.keep ?? DEFAULT_KEEPING
  return accepted(
    order,
    ...state.confirmations
      .filter((one) => isExpired(one, order))
      .map(({ id }) => ({ type: 'confirmation.expired' as const, id })),
    { type: 'turn.begun', turn },
    ...evicted(overdue(state.found, turn, keep), state, around),
  )
}
