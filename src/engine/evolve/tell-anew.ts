import type { WorkspaceState } from '../model/state.ts'

/**
 * Working memory from an entry on is told as it is now, until the next such entry: the beginning of
 * a turn, or a summary of the history.
 */
export function tellAnew(
  { memory }: Pick<WorkspaceState, 'memory'>,
  seq: number,
): Pick<WorkspaceState, 'toldSince' | 'toldEntities'> {
  return { toldSince: seq, toldEntities: memory.entities }
}
