import { assess } from '../../engine/standing/assess.ts'
import { isMeta } from '../../engine/model/meta-owner.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import type { Surroundings } from '../../engine/model/surroundings.ts'
import type { CallRequest } from './call-request.ts'
import { bridgedTarget } from './bridged-target.ts'

/**
 * A call as it is judged: one of `call_tool` is a call of the tool it names, with the arguments it
 * gives, under the id it came with. So there is one call, one entry and one envelope, and whatever
 * policy, budget or confirmation says of that tool holds.
 *
 * A call that `call_tool` itself has to answer (it is not offered, names itself, or is not shaped
 * as its schema says) stays what it is.
 */
export function bridgedCall(
  request: CallRequest,
  state: WorkspaceState,
  surroundings: Surroundings,
): CallRequest {
  if (!isBridge(request.tool, state, surroundings)) return request
  const target = bridgedTarget(request.input)
  if (target === null || isBridge(target.tool, state, surroundings)) return request
  return { ...request, ...target }
}

function isBridge(address: string, state: WorkspaceState, surroundings: Surroundings): boolean {
  if (!address.endsWith('call_tool')) return false
  const standing = assess(state, surroundings, address)
  return (
    standing.kind === 'registered' &&
    standing.status === 'available' &&
    isMeta(standing.row.owner) &&
    standing.row.claim.name === 'call_tool'
  )
}
