import type { ReactElement } from 'react'
import type { Entry } from '../../../entries/index.ts'
import {
  formatCount,
  type LedgerGroup,
  type LedgerRow,
  ledgerRows,
  providerFacts,
  sessionUsage,
} from '../../../entries/plan.ts'
import { Ledger } from '../../../entries/ink-views.ts'
import { identityMemo } from '../../../entries/kit.ts'
import { cachedLedger, cachedStep } from '../../report/facts/request-report.ts'
import { causeAt, lossActions } from './loss-actions.ts'
import { goToEntry } from '../session/follow-timeline.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import { paneState, type PaneState, type UiState } from '../context/ui-state.ts'
import { useNextTokens, useReader, useShown } from '../context/use-shown.ts'
import { type PricedPrompt, pricedPrompt } from './priced-prompt.ts'
import { selectedRow } from '../rows/move-selection.ts'
import { matchesFilter } from '../rows/row-filter.ts'

const ID = 'ledger'

/** The tokens of the next request by part and owner, and the cached tokens of the last request. */
export const ledgerPane: ScreenPane = {
  id: ID,
  title: 'Ledger',
  key: '9',
  place: 'tab',
  actions: [
    ...lossActions(ID, stepAtCursor),
    {
      id: 'ledger.step',
      title: 'Go to the step',
      verb: 'to the step',
      keys: ['enter'],
      when: (context) => stepAtCursor(context) !== undefined,
      run(context) {
        const step = stepAtCursor(context)
        if (step !== undefined) goToEntry(context, step.seq)
      },
    },
  ],
  rows: (context) => readLedger(context).ids,
  needs(context) {
    const { groups, ids } = readLedger(context)
    return 1 + ids.length + groups.filter(({ rows }) => rows.length > 0).length
  },
  status(context) {
    const { filter } = selectLedgerPane(context.ui.getState())
    return filter === '' ? 'tokens' : `tokens of "${filter}"`
  },
  View: LedgerPane,
}

/** Selects the state of the pane. */
export function selectLedgerPane(state: UiState): PaneState {
  return paneState(state, ID)
}

function LedgerPane({ context, focused, width, height, theme }: ScreenPaneProps): ReactElement {
  const { selected } = useShown(context, selectLedgerPane)
  useReader(context)
  const tokens = useNextTokens(context)
  const { groups, ids, ledger } = readLedger(context)
  return (
    <Ledger
      groups={groups}
      selected={focused || selected !== null ? selectedRow(ids, selected) : null}
      tokens={tokens}
      tokenizer={ledger.tokenizer}
      width={width}
      height={height}
      theme={theme}
    />
  )
}

interface ShownLedger extends Pick<PricedPrompt, 'ledger'> {
  readonly groups: readonly LedgerGroup[]
  readonly ids: readonly string[]
}

const ledgerCache = identityMemo<ShownLedger>()

function readLedger(context: PlaygroundContext): ShownLedger {
  const { strategies } = context.ui.getState()
  const { filter } = selectLedgerPane(context.ui.getState())
  const { ledger } = pricedPrompt(context)
  const reader = context.reader()
  const next = context.next()
  if (next === null) return { groups: [], ids: [], ledger }
  // The rows that contain the words of the filter; shares stay shares of the total.
  return ledgerCache([ledger, reader.state, next, strategies], filter, () => {
    const [request, ...others] = ledgerRows(
      ledger,
      next.cost,
      cachedLedger(reader.figures.ledger()),
    )
    const all = [...(request ? [request] : []), ...stepGroups(context), ...others]
    const groups =
      filter === ''
        ? all
        : all.map((group) => ({
            ...group,
            rows: group.rows.filter(({ label }) => matchesFilter(filter, [label])),
          }))
    return { groups, ids: groups.flatMap(({ rows }) => rows.map(({ id }) => id)), ledger }
  })
}

/** The most rows of steps that are listed; the timeline has all steps. */
const MOST_STEPS = 100

/** The steps up to the moment shown, the latest first, with what each kept, one row for those that lost nothing; and the price of all with each strategy. */
function stepGroups(context: PlaygroundContext): readonly LedgerGroup[] {
  const { strategies } = context.ui.getState()
  const { seq, spent } = context.reader().state
  const steps = context
    .entries()
    .slice(0, seq + 1)
    .filter(({ event }) => event.type === 'step.begun' && (event.cost?.previous ?? 0) > 0)
  const { steps: usage } = sessionUsage(context.entries().slice(0, seq + 1), providerFacts())
  const differing = new Map(usage.map(({ step, deviation }) => [step, deviation?.kind]))
  const runs: Entry[][] = []
  for (const entry of steps.toReversed()) {
    const run = runs.at(-1)
    const [latest] = run ?? []
    if (latest && keptAll(latest, differing) && keptAll(entry, differing)) run?.push(entry)
    else if (runs.length < MOST_STEPS) runs.push([entry])
    else break
  }
  const rows = runs.map((run) => stepRow(context, run, differing))
  const prices = [...strategies].map(([strategy, sent]): LedgerRow => {
    const costs = sent.filter((step) => step.seq <= seq).map(({ preview }) => preview.cost)
    const price = costs.reduce((sum, cost) => sum + cost.price, 0)
    const lost = Math.round(costs.reduce((sum, cost) => sum + cost.lost, 0))
    return {
      id: `strategy/${strategy}`,
      label: `${strategy}, ${formatCount(lost)} lost`,
      tokens: Math.round(price),
    }
  })
  const whole = Math.round(spent.price)
  return [
    { title: `Kept of the request before, by step`, whole: 0, rows },
    { title: 'Price of all steps with each strategy', whole, rows: prices },
  ]
}

/** The kinds of differences from the reports of providers, by step. */
type Differing = ReadonlyMap<number, string | undefined>

/** Returns the cost of a step, with what its provider has in its cache. */
function stepCost({ event }: Entry) {
  if (event.type !== 'step.begun' || event.cost === undefined)
    throw new TypeError('Not a priced step.')
  return { step: event.step, ...cachedStep(event, event.cost) }
}

/** Returns true for a step without anything to say of it. */
function keptAll(entry: Entry, differing: Differing): boolean {
  const { step, changed, tooMany } = stepCost(entry)
  return changed === null && !tooMany && differing.get(step) === undefined
}

/** @param run a step, or steps that lost nothing, the latest first */
function stepRow(
  context: PlaygroundContext,
  run: readonly Entry[],
  differing: Differing,
): LedgerRow {
  const [entry] = run as [Entry]
  const { seq } = entry
  const { step, kept, previous, changed, tooMany } = stepCost(entry)
  if (run.length > 1) {
    const costs = run.map(stepCost)
    const sum = (figure: 'kept' | 'previous') => costs.reduce((all, one) => all + one[figure], 0)
    const label = `steps ${costs.at(-1)?.step} to ${step}: nothing lost`
    return { id: `${STEP}${seq}`, label, tokens: sum('kept'), whole: sum('previous') }
  }
  const cause = causeAt(context, entry)
  const by = cause === null ? '' : ` by #${cause.seq}`
  const loss = changed === null ? '' : `: lost from ${changed.part}${by}`
  const over = tooMany ? `: ${tooMany.tools} tools of at most ${tooMany.most}` : ''
  const kind = differing.get(step)
  const differs = kind === undefined ? '' : ` (the provider differs: ${kind})`
  const label = `step ${step}${over}${loss}${differs}`
  return { id: `${STEP}${seq}`, label, tokens: kept, whole: previous }
}

const STEP = 'sent/'

/** Returns the entry of the step under the cursor. */
function stepAtCursor(context: PlaygroundContext): Entry | undefined {
  const { ids } = readLedger(context)
  const row = selectedRow(ids, selectLedgerPane(context.ui.getState()).selected)
  return row?.startsWith(STEP) === true
    ? context.entries()[Number(row.slice(STEP.length))]
    : undefined
}
