import type { Refusal } from '../../engine/model/command.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { type ToolDifference, toolDifference, toolTable } from '../../engine/standing/tool-table.ts'

/** What a command came to. `seq` is its last entry; a refusal has one, too. */
export type Outcome =
  | { readonly ok: true; readonly seq: number; readonly difference: ToolDifference }
  | ({ readonly ok: false; readonly seq: number } & Refusal)

/**
 * The outcome of what led from one state to another. Two whole tables are compared only for who
 * looks at the difference: opening a session does not.
 */
export function successfulOutcome(
  before: WorkspaceState,
  after: WorkspaceState,
  surroundings: EngineContext,
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

/** Who gives a command; the host's own code when absent. */
export interface CommandOptions {
  readonly by?: 'host' | 'user'
}
