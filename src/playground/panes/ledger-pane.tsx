import type { ReactElement } from 'react'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import { paneState, type PaneState, type UiState } from '../context/ui-state.ts'
import { useNextTokens, useReader, useShown } from '../context/use-shown.ts'
import { type PricedPrompt, pricedPrompt } from './priced-prompt.ts'
import { selectedRow } from '../rows/move-selection.ts'
import { matchesFilter } from '../rows/row-filter.ts'
import { type LedgerGroup, ledgerRows } from '../../render/ink/views/ledger-rows.ts'
import { Ledger } from '../../render/ink/views/ledger.tsx'
import { identityMemo } from '../../kernel/identity-memo.ts'

const ID = 'ledger'

/** The tokens of the next request by part and owner, and the cached tokens of the last request. */
export const ledgerPane: ScreenPane = {
  id: ID,
  title: 'Ledger',
  key: '9',
  place: 'tab',
  actions: [],
  rows: (context) => groupsOf(context).ids,
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

/** Keeps the rows that contain the words of a filter; shares stay shares of the total. */
function matchingGroups(groups: readonly LedgerGroup[], filter: string): readonly LedgerGroup[] {
  if (filter === '') return groups
  return groups.map((group) => ({
    ...group,
    rows: group.rows.filter(({ label }) => matchesFilter(filter, [label])),
  }))
}

function LedgerPane({ context, focused, width, height, theme }: ScreenPaneProps): ReactElement {
  const { selected } = useShown(context, selectLedgerPane)
  useReader(context)
  const tokens = useNextTokens(context)
  const { groups, ids, ledger } = groupsOf(context)
  return (
    <Ledger
      groups={groups}
      selected={focused || selected !== null ? selectedRow(ids, selected) : null}
      tokens={tokens}
      budget={context.promptBudget}
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

function groupsOf(context: PlaygroundContext): ShownLedger {
  const { filter } = selectLedgerPane(context.ui.getState())
  const { ledger } = pricedPrompt(context)
  const reader = context.reader()
  const next = context.next()
  if (next === null) return { groups: [], ids: [], ledger }
  return ledgerCache([ledger, reader.state, next], filter, () => {
    const groups = matchingGroups(ledgerRows(ledger, next.cost, reader.ledger()), filter)
    return { groups, ids: groups.flatMap(({ rows }) => rows.map(({ id }) => id)), ledger }
  })
}
