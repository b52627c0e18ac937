import type { Command, Order } from '../model/command.ts'
import { isSameTool } from '../model/owned-tool.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import { toolsMeant } from './tools-meant.ts'
import { accepted, refused, type Decision } from './decision.ts'

type Revoke = Extract<Command, { type: 'approval.revoke' }>

/** Take back whatever was remembered of a tool, at each of its definitions. */
export function decideRevocation(
  state: WorkspaceState,
  order: Order,
  { tool: address, stored }: Revoke,
  around: Surroundings,
): Decision {
  const approved = toolsMeant(state, around, address).filter(
    (tool) => stored || state.approvals.some((one) => isSameTool(one, tool)),
  )
  if (approved.length === 0) {
    return refused(order, address, {
      code: 'approval-unknown',
      message: `No approval of "${address}" is remembered.`,
      hint: 'A call of it is asked about each time, unless nothing asks.',
      facts: { tool: address },
    })
  }
  return accepted(
    order,
    ...approved.map((tool) => ({ type: 'approval.revoked' as const, ...tool })),
  )
}
