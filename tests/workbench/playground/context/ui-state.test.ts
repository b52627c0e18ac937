import { expect, test } from 'vitest'
import {
  changePane,
  createUiStore,
  EMPTY_PANE,
  paneState,
  toggleFold,
} from '../../../../src/workbench/playground/context/ui-state.ts'

const START = createUiStore('skills').getState()

test('an unused pane has the initial state', () => {
  expect(paneState(START, 'tools')).toBe(EMPTY_PANE)
})

test('a change touches one pane and keeps its other fields', () => {
  const filtered = changePane(START, 'tools', { filter: 'sql' })
  const both = changePane(filtered, 'tools', { selected: 'query_table' })
  expect(paneState(both, 'tools')).toEqual({
    ...EMPTY_PANE,
    filter: 'sql',
    selected: 'query_table',
  })
  expect(paneState(both, 'skills')).toBe(EMPTY_PANE)
})

test('a change to the same values notifies nobody', () => {
  expect(changePane(START, 'tools', { filter: '' })).toBe(START)
})

test('folding twice is not folding', () => {
  const folded = toggleFold(START, 'prompt', 'a')
  expect(paneState(folded, 'prompt').toggled).toEqual(['a'])
  expect(paneState(toggleFold(folded, 'prompt', 'a'), 'prompt').toggled).toEqual([])
})
