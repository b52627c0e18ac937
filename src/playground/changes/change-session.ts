import type { ToolDifference } from '../../engine/standing/tool-table.ts'
import { serialQueue } from '../../kernel/serial-queue.ts'
import { captureMoment, compareMoments } from './compare-moments.ts'
import { showChanges } from './show-changes.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { note, refusal, type ScreenBanner, type UiStore } from '../context/ui-state.ts'
import { diffDocuments, type DocumentDiff } from '../../render/prompt/diff-documents.ts'
import type { Outcome } from '../../workspace/commands/outcome.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** A change of the session, with its descriptions. */
export interface SessionChange {
  /** Shown while it is in progress: `activating data-analysis`. */
  readonly doing: string
  /** Shown when it succeeded: `data-analysis activated`. */
  readonly done: string
  run(workspace: VirtualWorkspace): Promise<Outcome>
}

/**
 * Changes the session as its user, one change after the other, and reports the outcome.
 *
 * @param decide called when the turn comes, so that keys typed fast act on the current state
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

/** Returns the reason why the session cannot be changed now; null when it can. */
export function whyNoChange({ live, ui }: Pick<PlaygroundContext, 'live' | 'ui'>): string | null {
  if (!live) return 'This session is open read-only: it cannot be changed.'
  return ui.getState().moment === null
    ? null
    : 'An earlier moment is shown. Press Esc to return to now, where changes are possible.'
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
  const banner = changeReport(outcome, change.done, diff)
  ui.setState(
    outcome.ok
      ? (state) => ({
          ...showChanges(state, diff),
          banner,
          difference: { title: change.done, tools: outcome.difference, document: diff },
        })
      : { banner },
  )
}

/** Accepts the change of one skill on disk, or all changes, and reports the outcome. */
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
    const what = skill === null ? 'Nothing has' : `"${skill}" has not`
    return ui.setState({ banner: note('note', `${what} changed on disk.`) })
  }
  ui.setState({ busy: `accepting ${skill ?? 'all changes'}` })
  const before = captureMoment(context.workspace())
  await context.accept(skill)
  const difference = compareMoments(before, captureMoment(context.workspace()), counter)
  const done = `${skill ?? 'all changes'} accepted`
  ui.setState((state) => ({
    ...showChanges(state, difference.document),
    banner: differenceReport('done', done, difference),
    difference: { title: done, ...difference },
  }))
}

type PromptChange = Pick<DocumentDiff, 'tokens' | 'prefixKept'>

/**
 * Reports the outcome of a command as a banner.
 *
 * @param done the description of a success, such as `data-analysis activated`
 * @param document the change of the prompt
 */
export function changeReport(outcome: Outcome, done: string, document: PromptChange): ScreenBanner {
  if (!outcome.ok) return refusal(outcome)
  return differenceReport('done', done, { tools: outcome.difference, document })
}

/** Creates a banner with the changes of tools and prompt. */
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
 * Returns the queue of a screen. It holds changes by the user and switches to another workspace after
 * changes on disk, so that no change runs on a closed workspace.
 */
export function screenQueue(ui: UiStore): ReturnType<typeof serialQueue> {
  const queue = queues.get(ui) ?? serialQueue()
  queues.set(ui, queue)
  return queue
}
