import { EXPOSURES } from '../../../entries/adapter.ts'
import type { Entry, ExposureName, WorkspaceEvent } from '../../../entries/index.ts'
import { describeCause, describeEvent } from '../../../entries/kit.ts'
import {
  counted,
  type RequestChange,
  requestText,
  shareText,
  keptText,
} from '../../../entries/plan.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { type Action, showTab } from '../context/screen-pane.ts'
import type { SentStep } from '../context/sent-steps.ts'
import { note, paneState } from '../context/ui-state.ts'
import { cachedStep } from '../../report/facts/request-report.ts'
import { causeOfLoss, describeLosses, lostText } from '../../report/facts/cause-of-loss.ts'
import { readEntryId, goToEntry, TIMELINE } from '../session/follow-timeline.ts'
import { WHY } from './open-why.ts'

/** Creates the actions about losses of the cache, for a pane with a row for each step. */
export function lossActions(
  pane: string,
  atCursor: (context: PlaygroundContext) => Entry | undefined,
): readonly Action[] {
  const cause = (context: PlaygroundContext) => {
    const entry = atCursor(context)
    return entry === undefined ? null : causeAt(context, entry)
  }
  return [
    {
      id: `${pane}.next-loss`,
      title: 'Next loss of the cache',
      verb: 'next loss',
      keys: [']'],
      run: toLoss(1),
    },
    { id: `${pane}.loss-before`, title: 'Loss before', keys: ['['], run: toLoss(-1) },
    {
      id: `${pane}.cause`,
      title: 'Go to the entry that lost the cache',
      verb: 'to its entry',
      keys: ['#'],
      when: (context) => cause(context) !== null,
      run(context) {
        const entry = cause(context)
        if (entry !== null) goToEntry(context, entry.seq)
      },
    },
    {
      id: `${pane}.strategies`,
      title: 'Price all steps with each strategy',
      verb: 'price all',
      keys: ['x'],
      run: priceStrategies,
    },
  ]
}

/** Returns the place from which a step lost the cache; null for another entry, and where nothing was lost. */
export function cacheLoss(event: WorkspaceEvent): RequestChange | null {
  return event.type === 'step.begun' ? (event.cost?.changed ?? null) : null
}

/** Returns the entry that lost the cache of a step; null when the log does not say. */
export function causeAt(context: PlaygroundContext, { seq, event }: Entry): Entry | null {
  const changed = cacheLoss(event)
  return changed === null ? null : causeOfLoss(context.entries(), seq - 1, changed)
}

/** Describes the request of a step: its tokens, what it kept of the one before, and the entry that lost the rest. */
export function costLines(context: PlaygroundContext, entry: Entry): readonly string[] {
  const { event, seq } = entry
  if (event.type !== 'step.begun' || event.cost === undefined) return []
  const { cost } = event
  const { changed, lost } = cost
  const part = cachedStep(event, cost)
  const { previous, kept, minimum } = part
  const share = minimum === undefined ? ` (${shareText(kept, previous)})` : ''
  const shared = previous === 0 ? '' : `, ${keptText(part)}${share}`
  const cause = causeAt(context, entry)
  const why = describeLosses(context.entries()).find(({ step }) => step === event.step)?.why ?? null
  return [
    `${requestText({ cost })} tokens${shared}.`,
    ...(changed === null
      ? []
      : [
          `Lost from ${changed.segment} "${changed.part}" on: ${lostText(lost)}.`,
          ...(why === null ? [] : [why]),
          cause === null
            ? 'The log does not say which entry did it.'
            : `By #${cause.seq} (key #): ${describeCause(cause.cause)}: ${describeEvent(cause.event)}`,
        ]),
    ...strategyLines(context, seq),
  ]
}

function priceText(price: number): string {
  return `${counted(Math.round(price), 'token')} at the full input price`
}

/** Says what the other strategies would have lost at a step, once they are priced. */
function strategyLines(context: PlaygroundContext, seq: number): readonly string[] {
  const { strategies } = context.ui.getState()
  const priced = [...strategies].flatMap(([name, steps]) => {
    const step = steps.find((one) => one.seq === seq)
    return step === undefined ? [] : `With ${name}: ${priceText(step.preview.cost.lost)} lost.`
  })
  return priced.length === 0 ? ['Key x: what other strategies would have lost.'] : priced
}

/** Goes to the next step that lost a part of the cache, or to the one before, and shows why. */
function toLoss(by: 1 | -1) {
  return (context: PlaygroundContext) => {
    const { ui } = context
    const seq = readEntryId(paneState(ui.getState(), TIMELINE).selected) ?? 0
    // A loss under the cursor counts as long as the right does not describe it.
    const least = ui.getState().tabs[TIMELINE] === WHY ? 1 : 0
    const isLoss = (one: Entry) => cacheLoss(one.event) !== null && (one.seq - seq) * by >= least
    const entries = context.entries()
    const loss = by === 1 ? entries.find(isLoss) : entries.findLast(isLoss)
    if (loss === undefined) {
      const text = `No step ${by === 1 ? 'after' : 'before'} #${seq} lost a part of the cache.`
      return ui.setState({ banner: note('note', text) })
    }
    goToEntry(context, loss.seq)
    ui.setState((state) => showTab(state, WHY))
  }
}

/** Prices all steps so far with each strategy that the provider can use. */
async function priceStrategies({ ui, sentSteps }: PlaygroundContext): Promise<void> {
  const { provider } = ui.getState().sentAs
  const strategies = new Map<ExposureName, readonly SentStep[]>()
  for (const strategy of Object.keys(EXPOSURES) as ExposureName[]) {
    const steps = await sentSteps.all({ strategy, ...(provider !== undefined && { provider }) })
    if (steps.at(-1)?.preview.exposure.strategy === strategy) strategies.set(strategy, [...steps])
  }
  ui.setState({ strategies })
}
