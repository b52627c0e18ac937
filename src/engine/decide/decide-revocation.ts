import { assess } from '../assess.ts'
import type { Approval } from '../consent-state.ts'
import type { Command, Order } from '../command.ts'
import { isSameTool, ownedTool, type OwnedTool } from '../owned-tool.ts'
import type { WorkspaceState } from '../state.ts'
import type { Surroundings } from '../surroundings.ts'
import { accepted, refused, type Decision } from './decision.ts'

type Revoke = Extract<Command, { type: 'approval.revoke' }>

/** Take back whatever was remembered of a tool, at each of its definitions. */
export function decideRevocation(
  state: WorkspaceState,
  order: Order,
  { tool: address, stored }: Revoke,
  around: Surroundings,
): Decision {
  const approved = toolsApproved(state, around, address)
  const meant = approved.length === 0 && stored ? registered(state, around, address) : approved
  if (meant.length === 0) {
    return refused(order, address, {
      code: 'approval-unknown',
      message: `No approval of "${address}" is remembered.`,
      hint: 'A call of it is asked about each time, unless nothing asks.',
      facts: { tool: address },
    })
  }
  const tools = meant.map(({ source, owner, tool }) => ({ source, owner, tool }))
  return accepted(order, ...tools.map((one) => ({ type: 'approval.revoked' as const, ...one })))
}

/** The tool of an address that has an approval; one that is not registered goes by its own name. */
function toolsApproved(
  state: WorkspaceState,
  around: Surroundings,
  address: string,
): readonly OwnedTool[] {
  const [here] = registered(state, around, address)
  const isMeant = (one: Approval) =>
    here === undefined
      ? one.tool === address || `${one.owner}/${one.tool}` === address
      : isSameTool(one, here)
  const meant = state.approvals.filter(isMeant)
  return meant.filter((one, place) => meant.findIndex((other) => isSameTool(one, other)) === place)
}

function registered(
  state: WorkspaceState,
  around: Surroundings,
  address: string,
): readonly OwnedTool[] {
  const standing = assess(state, around, address)
  return standing.kind === 'registered' ? [ownedTool(standing.row)] : []
}
