import { accepted, type Decision, refused } from './decision.ts'
import type { CommandOf, Order } from '../model/command.ts'
import { isSameTool, type ToolIdentity } from '../model/consent-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assess } from '../standing/assess.ts'
import { toolIdentity } from '../standing/remembered-approval.ts'

/** Revokes the remembered approvals of a tool, for each of its definitions. */
export function decideRevocation(
  state: WorkspaceState,
  order: Order,
  { tool: address, stored }: CommandOf<'approval.revoke'>,
  context: EngineContext,
): Decision {
  const approved = revocableTools(state, context, address).filter(
    (tool) => stored || state.approvals.some((one) => isSameTool(one, tool)),
  )
  if (approved.length === 0) {
    return refused(order, address, {
      code: 'approval-unknown',
      message: `No approval of "${address}" is remembered.`,
      hint: 'There is nothing to revoke.',
      facts: { tool: address },
    })
  }
  return accepted(
    order,
    ...approved.map((tool) => ({ type: 'approval.revoked' as const, ...tool })),
  )
}

/**
 * Returns the tools that an address means when approvals are revoked: the registered one, else
 * those that were approved under that name and have left.
 */
export function revocableTools(
  state: WorkspaceState,
  context: EngineContext,
  address: string,
): readonly ToolIdentity[] {
  const assessment = assess(state, context, address)
  if (assessment.kind === 'registered') return [toolIdentity(assessment.row)]
  const meant = state.approvals
    .filter(({ owner, tool }) => tool === address || `${owner}/${tool}` === address)
    .map(({ source, owner, tool }) => ({ source, owner, tool }))
  return meant.filter((one, place) => meant.findIndex((other) => isSameTool(one, other)) === place)
}
