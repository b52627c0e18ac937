import { assess } from '../standing/assess.ts'
import { ownedToolOf } from '../standing/owned-tool-of.ts'
import { isSameTool, type OwnedTool } from '../model/owned-tool.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'

/**
 * The tools that an address means to who takes approvals back: the one that is registered, else those
 * that were approved under that name and left.
 */
export function toolsMeant(
  state: WorkspaceState,
  around: Surroundings,
  address: string,
): readonly OwnedTool[] {
  const standing = assess(state, around, address)
  if (standing.kind === 'registered') return [ownedToolOf(standing.row)]
  const meant = state.approvals
    .filter(({ owner, tool }) => tool === address || `${owner}/${tool}` === address)
    .map(({ source, owner, tool }) => ({ source, owner, tool }))
  return meant.filter((one, place) => meant.findIndex((other) => isSameTool(one, other)) === place)
}
