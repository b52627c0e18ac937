import { diffDocuments } from '../../render/prompt/diff-documents.ts'
import type { WorkspaceReader } from '../../workspace/workspace-reader.ts'
import type { ToolDifference } from '../../engine/tool-difference.ts'
import { changeReport, note } from './change-report.ts'
import { whyNoChange } from './change-session.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'

/** Take what changed on disk, of one skill or all of it, and show what that came to. */
export async function acceptChange(
  context: PlaygroundContext,
  skill: string | null,
): Promise<void> {
  const { ui, counter } = context
  const why = whyNoChange(context)
  if (why !== null) return ui.setState({ banner: note('note', why) })
  const { changes } = ui.getState()
  const isChanged = changes.some((one) => skill === null || one.skill === skill)
  if (!isChanged) {
    const what = skill === null ? 'Nothing' : `"${skill}" is as it was: nothing`
    return ui.setState({ banner: note('note', `${what} changed on disk.`) })
  }
  ui.setState({ busy: `accepting ${skill ?? 'every change'}` })
  const workspace = context.workspace()
  const before = { document: workspace.prompt().document, tools: toolsOf(workspace) }
  await context.accept(skill)
  const now = context.workspace()
  const diff = diffDocuments(before.document, now.prompt().document, counter)
  const difference = differenceOf(before.tools, toolsOf(now))
  const done = `${skill ?? 'every change'} is accepted`
  ui.setState({ banner: changeReport({ ok: true, seq: now.state.seq, difference }, done, diff) })
}

function toolsOf(reader: WorkspaceReader): ReadonlyMap<string, string> {
  return new Map(reader.getAvailableTools().map(({ name, hash }) => [name, hash]))
}

function differenceOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ToolDifference {
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed: [...after.keys()].filter(
      (name) => before.has(name) && before.get(name) !== after.get(name),
    ),
  }
}
