import { expect, test } from 'vitest'
import { createUiStore } from '../../../src/playground/context/ui-state.ts'
import { PANES } from '../../../src/playground/panes/panes.ts'
import { cycleFocus, focusedPane, focusPane } from '../../../src/playground/context/screen-pane.ts'

const START = createUiStore('skills').getState()

test('the focus goes around the panes both ways', () => {
  const last = cycleFocus(START, PANES, -1)
  expect(last.focus).toBe(PANES.at(-1)?.id)
  expect(cycleFocus(last, PANES, 1).focus).toBe('skills')
})

test('focusing another pane ends typing a filter', () => {
  expect(focusPane({ ...START, filtering: true }, 'tools')).toMatchObject({
    focus: 'tools',
    filtering: false,
  })
})

test('an unknown pane leaves the focus on the first', () => {
  expect(focusedPane(PANES, { focus: 'gone' }).id).toBe('skills')
})
