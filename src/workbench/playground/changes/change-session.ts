import type { Outcome, VirtualWorkspace } from '../../../entries/index.ts'
import { keptText, requestText } from '../../../entries/plan.ts'
import { serialQueue } from '../../../entries/kit.ts'
import {
  captureMoment,
  differenceSince,
  type MomentDifference,
} from '../../report/facts/compare-moments.ts'
import { cachedPart } from '../../report/facts/request-report.ts'
import { showChanges } from './show-changes.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { note, refusal, type ScreenBanner, type UiStore } from '../context/ui-state.ts'

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
  const before = await captureMoment(workspace)
  const outcome = await change.run(workspace)
  const difference = await differenceSince(before, workspace, counter)
  if (!outcome.ok) {
    const { tone, text } = refusal(outcome)
    const isPartial = Object.values(difference.tools).some((names) => names.length > 0)
    return ui.setState({
      banner: isPartial ? differenceReport(tone, text, difference) : note(tone, text),
    })
  }
  showDifference(ui, change.done, difference)
}

/** Begins a turn without a message: lifetimes of skills end, and budgets are new. */
export function beginTurnByHand(context: PlaygroundContext): Promise<void> {
  return changeSession(context, ({ state }) => ({
    doing: 'beginning a turn',
    done: `turn ${state.turn + 1} began`,
    run: (workspace) => workspace.beginTurn({ by: 'user' }),
  }))
}

/** Begins a step without a model: the log then has the request, and the part of the last one that it keeps. */
export function beginStepByHand(context: PlaygroundContext): Promise<void> | void {
  const { ui } = context
  const why = whyNoChange(context)
  if (why !== null) return ui.setState({ banner: note('note', why) })
  return screenQueue(ui)(async () => {
    const workspace = context.workspace()
    const { prompt, cost: before } = workspace.state
    const { step, cost } = await workspace.beginStep({
      ...prompt,
      messageTokens: before?.messages ?? 0,
    })
    const text = `step ${step} began   ${requestText({ cost })}, ${keptText(cachedPart(cost, cost))}`
    ui.setState({ banner: note('done', text) })
  })
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
  const before = await captureMoment(context.workspace())
  await context.accept(skill)
  const difference = await differenceSince(before, context.workspace(), counter)
  showDifference(ui, `${skill ?? 'all changes'} accepted`, difference)
}

function showDifference(ui: UiStore, done: string, difference: MomentDifference): void {
  ui.setState((state) => ({
    ...showChanges(state, difference.document),
    banner: differenceReport('done', done, difference),
    difference: { title: done, ...difference },
  }))
}

/** Creates a banner with the changes of tools and of the next request. */
export function differenceReport(
  tone: ScreenBanner['tone'],
  text: string,
  { tools, request }: Pick<MomentDifference, 'tools' | 'request'>,
): ScreenBanner {
  return { tone, text, difference: tools, request }
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
