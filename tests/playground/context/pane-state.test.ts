import { expect, test } from 'vitest'
import { createUiStore } from '../../../src/playground/context/create-ui-store.ts'
import { cycleFocus, focusedPane, focusPane } from '../../../src/playground/parts/focus.ts'
import { changePane, toggleFold } from '../../../src/playground/context/change-pane.ts'
import { EMPTY_PANE, paneState } from '../../../src/playground/context/pane-state.ts'
import { PANES } from '../../../src/playground/panes/panes.ts'

const START = createUiStore('skills').getState()

test('a pane nobody touched is at its beginning', () => {
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

test('a change to what is there already wakes nobody', () => {
  expect(changePane(START, 'tools', { filter: '' })).toBe(START)
})

test('folding twice is not folding', () => {
  const folded = toggleFold(START, 'prompt', 'a')
  expect(paneState(folded, 'prompt').folded).toEqual(['a'])
  expect(paneState(toggleFold(folded, 'prompt', 'a'), 'prompt').folded).toEqual([])
})

test('the focus goes around the panes both ways', () => {
  const last = cycleFocus(START, PANES, -1)
  expect(last.focus).toBe(PANES.at(-1)?.id)
  expect(cycleFocus(last, PANES, 1).focus).toBe('skills')
})

test('giving the keys to another pane ends typing a filter', () => {
  expect(focusPane({ ...START, filtering: true }, 'tools')).toMatchObject({
    focus: 'tools',
    filtering: false,
  })
})

test('a pane that is not there leaves the keys with the first', () => {
  expect(focusedPane(PANES, { focus: 'gone' }).id).toBe('skills')
})
