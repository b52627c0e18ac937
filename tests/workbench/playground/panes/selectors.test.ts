import { expect, test } from 'vitest'
import {
  changePane,
  createUiStore,
  type UiState,
} from '../../../../src/workbench/playground/context/ui-state.ts'
import { selectLedgerPane } from '../../../../src/workbench/playground/panes/ledger-pane.tsx'
import { selectPromptPane } from '../../../../src/workbench/playground/panes/prompt-pane.tsx'
import {
  selectMarks,
  selectMoment,
  selectTimelinePane,
} from '../../../../src/workbench/playground/panes/timeline-pane.tsx'
import { selectSessionState } from '../../../../src/workbench/playground/context/use-shown.ts'
import { EMPTY_STATE } from '../../../../src/engine/model/workspace-state.ts'

const START = createUiStore('skills').getState()

test.each<[string, (state: UiState) => unknown]>([
  ['prompt', selectPromptPane],
  ['timeline', selectTimelinePane],
  ['ledger', selectLedgerPane],
])('what is kept of the %s pane is the same object until that pane changes', (pane, select) => {
  const changed = changePane(START, pane, { filter: 'x' })
  expect(select(changed)).toMatchObject({ filter: 'x' })
  expect(select(changePane(changed, 'skills', { filter: 'y' }))).toBe(select(changed))
})

test('marks, moment and state are selected unchanged', () => {
  const marks = [1, 2]
  expect(selectMarks({ ...START, marks })).toBe(marks)
  expect(selectMoment({ ...START, moment: 7 })).toBe(7)
  expect(selectSessionState({ state: EMPTY_STATE, pending: ['music'] })).toBe(EMPTY_STATE)
})
