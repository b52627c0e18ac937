import type { Order } from '../model/command.ts'
import type { PendingConfirmation } from '../model/confirmation-state.ts'

/**
 * Whether the time of a confirmation is over: by the wall clock, which alone lasts over a restart, or by
 * the clock of this process, which nobody sets back.
 */
export function isExpired(
  { id, expiresAt }: Pick<PendingConfirmation, 'id' | 'expiresAt'>,
  { now, outlived }: Pick<Order, 'now' | 'outlived'>,
): boolean {
  return now >= expiresAt || (outlived?.includes(id) ?? false)
}
