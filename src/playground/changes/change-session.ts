import { diffDocuments } from '../../render/prompt/diff-documents.ts'
import type { Outcome } from '../../workspace/commands/outcome.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import { note } from '../context/banner.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { changeReport } from './change-report.ts'
import { screenTurns } from './screen-turns.ts'

/** A change of the session, put into words once it is known what it is. */
export interface SessionChange {
  /** While it is under way: `equipping data-analysis`. */
  readonly doing: string
  /** When it was done: `data-analysis is equipped`. */
  readonly done: string
  run(workspace: VirtualWorkspace): Promise<Outcome>
}

/**
 * Change the session as its user, one change after the other, and show what it came to.
 *
 * @param decide asked when the turn comes, so that keys typed fast mean the state they find
 */
export function changeSession(
  context: PlaygroundContext,
  decide: (workspace: VirtualWorkspace) => SessionChange | null,
): Promise<void> {
  const { ui } = context
  const why = whyNoChange(context)
  if (why !== null) {
    ui.setState({ banner: note('note', why) })
    return Promise.resolve()
  }
  return screenTurns(ui)(() => carryOut(context, decide))
}

/** Why the session cannot be changed from what is shown; null when it can. */
export function whyNoChange({ live, ui }: Pick<PlaygroundContext, 'live' | 'ui'>): string | null {
  if (!live) return 'This log is only looked at: nothing in it can be changed.'
  return ui.getState().moment === null
    ? null
    : 'An earlier moment is shown. Esc goes back to now, where things can be changed.'
}

async function carryOut(
  context: PlaygroundContext,
  decide: (workspace: VirtualWorkspace) => SessionChange | null,
): Promise<void> {
  const { ui, counter } = context
  const workspace = context.workspace()
  const change = decide(workspace)
  if (change === null) return
  ui.setState({ busy: change.doing })
  const before = workspace.prompt().document
  const outcome = await change.run(workspace)
  const after = workspace.prompt().document
  const diff = diffDocuments(before, after, counter)
  ui.setState({ banner: changeReport(outcome, change.done, diff) })
}
