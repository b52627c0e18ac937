import type { Command, Order } from '../model/command.ts'
import type { WorkspaceState } from '../model/state.ts'
import { accepted, type Decision } from './decision.ts'

type Abandon = Extract<Command, { type: 'call.abandon' }>

/**
 * Give up a call that has run for longer than it may, so that what waits for it goes on. It stays
 * counted. Comes to nothing when the call has ended meanwhile, or still has time.
 */
export function decideAbandonment(
  { calls }: WorkspaceState,
  order: Order,
  { call: id, afterMs }: Abandon,
): Decision {
  const call = calls.find((one) => one.call === id)
  return call === undefined || order.now < call.startedAt + afterMs
    ? { kind: 'accepted', drafts: [] }
    : accepted(order, { type: 'call.abandoned', call: id, tool: call.tool })
}
