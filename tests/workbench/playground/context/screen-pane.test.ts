import { expect, test } from 'vitest'
import {
  createUiStore,
  type UiState,
} from '../../../../src/workbench/playground/context/ui-state.ts'
import { PANES } from '../../../../src/workbench/playground/panes/panes.ts'
import {
  cycleFocus,
  cycleTab,
  focusedPane,
  focusPane,
  shownTab,
} from '../../../../src/workbench/playground/context/screen-pane.ts'

const START = createUiStore('skills').getState()

const walk = (steps: number, by: 1 | -1) => {
  const seen: string[] = []
  let state: UiState = START
  for (let step = 0; step < steps; step += 1) {
    state = cycleFocus(state, PANES, by)
    seen.push(state.focus)
  }
  return seen
}

test('the focus goes around the lists, the tab that is shown and the lane, both ways', () => {
  // Each list has its own tab: the last list before it, the questions, shows the reasons.
  expect(walk(6, 1)).toEqual(['tools', 'waiting', 'why', 'timeline', 'skills', 'tools'])
  expect(walk(2, -1)).toEqual(['timeline', 'prompt'])
})

test('each list remembers the tab next to it', () => {
  const tools = focusPane(START, PANES, 'tools')
  expect(shownTab(PANES, tools)?.id).toBe('why')
  const diff = focusPane(tools, PANES, 'diff')
  expect(diff.list).toBe('tools')
  const skills = focusPane(diff, PANES, 'skills')
  expect(shownTab(PANES, skills)?.id).toBe('prompt')
  expect(shownTab(PANES, focusPane(skills, PANES, 'tools'))?.id).toBe('diff')
})

test('the next tab is shown without the focus, and takes it from a tab that has it', () => {
  const next = cycleTab(START, PANES, 1)
  expect(next.focus).toBe('skills')
  expect(shownTab(PANES, next)?.id).toBe('why')
  const focused = cycleTab(focusPane(START, PANES, 'prompt'), PANES, -1)
  expect(focused.focus).toBe('memory')
})

test('focusing another pane ends typing a filter', () => {
  expect(focusPane({ ...START, filtering: true }, PANES, 'tools')).toMatchObject({
    focus: 'tools',
    filtering: false,
  })
})

test('an unknown pane leaves the focus on the first', () => {
  expect(focusedPane(PANES, { focus: 'gone' }).id).toBe('skills')
})
