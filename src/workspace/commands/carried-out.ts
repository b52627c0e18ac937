import type { WorkspaceState } from '../../engine/model/state.ts'
import type { Surroundings } from '../../engine/model/surroundings.ts'
import { toolDifference, type ToolDifference } from '../../engine/standing/tool-difference.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import type { Outcome } from './outcome.ts'

/**
 * The outcome of what led from one state to another. Two whole tables are compared only for who
 * looks at the difference: opening a session does not.
 */
export function carriedOut(
  before: WorkspaceState,
  after: WorkspaceState,
  surroundings: Surroundings,
): Outcome {
  let difference: ToolDifference | undefined
  return {
    ok: true,
    seq: after.seq,
    get difference() {
      difference ??= toolDifference(toolTable(before, surroundings), toolTable(after, surroundings))
      return difference
    },
  }
}
