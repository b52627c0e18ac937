import type { Refusal } from '../../engine/model/command.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { type ToolDifference, toolDifference, toolTable } from '../../engine/standing/tool-table.ts'

/** The outcome of a command. `seq` is the number of its last entry; a refusal has one, too. */
export type Outcome =
  | { readonly ok: true; readonly seq: number; readonly difference: ToolDifference }
  | ({ readonly ok: false; readonly seq: number } & Refusal)

/**
 * Returns the outcome of a command that changed one state to another. The tool tables are compared when
 * the difference is read: opening a session does not read it.
 */
export function successfulOutcome(
  before: WorkspaceState,
  after: WorkspaceState,
  context: EngineContext,
): Outcome {
  let difference: ToolDifference | undefined
  return {
    ok: true,
    seq: after.seq,
    get difference() {
      difference ??= toolDifference(toolTable(before, context), toolTable(after, context))
      return difference
    },
  }
}

/** The giver of a command: the host's own code (`host`, the default), or a person. */
export interface CommandOptions {
  readonly by?: 'host' | 'user'
}
