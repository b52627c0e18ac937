import type { ToolDifference } from '../../engine/standing/tool-table.ts'
import { serialQueue } from '../../kernel/serial-queue.ts'
import { captureMoment, compareMoments } from './compare-moments.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { note, type ScreenBanner, type UiStore } from '../context/ui-state.ts'
import { diffDocuments, type DocumentDiff } from '../../render/prompt/diff-documents.ts'
import type { Outcome } from '../../workspace/commands/outcome.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

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
  return screenQueue(ui)(() => carryOut(context, decide))
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
  const before = captureMoment(context.workspace())
  await context.accept(skill)
  const difference = compareMoments(before, captureMoment(context.workspace()), counter)
  const done = `${skill ?? 'every change'} is accepted`
  ui.setState({ banner: differenceReport('done', done, difference) })
}

type PromptChange = Pick<DocumentDiff, 'tokens' | 'prefixKept'>

/**
 * What a command came to, for the banner.
 *
 * @param done what was asked for, in words, such as `data-analysis is equipped`
 * @param document how the prompt differs from the one before
 */
export function changeReport(outcome: Outcome, done: string, document: PromptChange): ScreenBanner {
  if (!outcome.ok) return note('refused', `${outcome.message} ${outcome.hint}`.trim())
  return differenceReport('done', done, { tools: outcome.difference, document })
}

/** A banner of words, and of how tools and prompt differ from those before. */
export function differenceReport(
  tone: ScreenBanner['tone'],
  text: string,
  { tools, document }: { readonly tools: ToolDifference; readonly document: PromptChange },
): ScreenBanner {
  const { tokens, prefixKept } = document
  const { tokens: kept, ofTokens } = prefixKept
  return {
    tone,
    text,
    difference: tools,
    tokens,
    prefixKept: ofTokens === 0 ? null : kept / ofTokens,
  }
}

const queues = new WeakMap<UiStore, ReturnType<typeof serialQueue>>()

/**
 * The queue of a screen: its person's changes of the session, and going on with another workspace
 * after the skills on disk changed. So no change meets a workspace that was closed under it.
 */
export function screenQueue(ui: UiStore): ReturnType<typeof serialQueue> {
  const queue = queues.get(ui) ?? serialQueue()
  queues.set(ui, queue)
  return queue
}
