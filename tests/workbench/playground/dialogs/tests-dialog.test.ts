import { expect, test } from 'vitest'
import { testAgain } from '../../../../src/workbench/playground/dialogs/tests-dialog.tsx'
import type { ScenarioTest } from '../../../../src/workbench/playground/context/scenario-desk.ts'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import { DEFAULT_THEME } from '../../../../src/render/ink/parts/theme.ts'
import { aPlayground, TABLE } from '../a-playground.ts'
import { realScreen } from '../real-screen.ts'
import { createElement } from 'react'

const RECORDED = { file: 'scenarios/a.scenario.yaml', steps: 1, expectations: 3, unmet: [] }

const TESTS: readonly ScenarioTest[] = [
  { name: 'a refund is asked about', ok: true, lines: [] },
  { name: 'a deleted order', ok: false, lines: ['a.scenario.yaml:4 exposed: expected ["x"]'] },
  { name: 'an eval', ok: null, lines: ['The answer of a model is judged.'] },
]

test('r records the session, and says what does not hold when it runs again', async () => {
  let unmet: readonly string[] = []
  const recorded: string[] = []
  const { context } = await aPlayground(undefined, {
    scenarios: {
      record: async ({ session }) => {
        recorded.push(session)
        return { ...RECORDED, unmet }
      },
      test: async () => [],
    },
  })
  await handleStrokes(['r'], context, TABLE)
  expect(recorded).toEqual(['a-session'])
  expect(context.ui.getState().banner).toMatchObject({
    tone: 'done',
    text: 'recorded as scenarios/a.scenario.yaml   1 step, 3 expectations hold',
  })
  unmet = ['step 1, tokens. The request has 40.']
  await handleStrokes(['r'], context, TABLE)
  expect(context.ui.getState().banner).toMatchObject({
    tone: 'refused',
    text: expect.stringContaining('1 do not hold when it runs again: step 1, tokens.'),
  })
})

test('t runs all scenarios, and shows those that failed first, with what was expected', async () => {
  const { context } = await aPlayground(undefined, {
    scenarios: { record: async () => RECORDED, test: async () => TESTS },
  })
  await handleStrokes(['t'], context, TABLE)
  const tree = createElement(Screen, { context, table: TABLE, theme: DEFAULT_THEME })
  const { screen } = await realScreen(tree, 120, 30)
  expect(screen()).toContain('[2 scenarios: 1 failed]')
  const lines = screen().split('\n')
  const at = lines.findIndex((line) => line.includes('FAIL a deleted order'))
  expect(lines[at + 1]).toContain('a.scenario.yaml:4 exposed: expected ["x"]')
  expect(lines[at + 2]).toContain('ok   a refund is asked about')
  expect(lines[at + 3]).toContain('--   an eval')
})

test('without scenarios in the project t says how to record one', async () => {
  const { context } = await aPlayground(undefined, {
    scenarios: { record: async () => RECORDED, test: async () => [] },
  })
  await handleStrokes(['t'], context, TABLE)
  const tree = createElement(Screen, { context, table: TABLE, theme: DEFAULT_THEME })
  const { screen } = await realScreen(tree, 120, 30)
  expect(screen()).toContain('No scenario was found. r records one.')
})

test('a session that is open read-only records and runs nothing', async () => {
  const desk = { record: async () => RECORDED, test: async () => TESTS }
  const { context } = await aPlayground(undefined, { live: false, scenarios: desk })
  for (const key of ['r', 't']) {
    await handleStrokes([key], context, TABLE)
    expect(context.ui.getState()).toMatchObject({ dialog: null, banner: { tone: 'note' } })
  }
})

test('scenarios that ran once run again at each save, and the first line says what became of them', async () => {
  let tests: readonly ScenarioTest[] = TESTS
  let runs = 0
  const { context } = await aPlayground(undefined, {
    scenarios: {
      record: async () => RECORDED,
      test: async () => {
        runs += 1
        return tests
      },
    },
  })
  await testAgain(context)
  expect(runs).toBe(0)
  await handleStrokes(['t', 'esc'], context, TABLE)
  const tree = createElement(Screen, { context, table: TABLE, theme: DEFAULT_THEME })
  const { screen, waitFor } = await realScreen(tree, 120, 30)
  expect(screen()).toContain('| 1 of 2 scenarios fail |')
  tests = TESTS.map((one) => ({ ...one, ok: one.ok === null ? null : true }))
  // A save while they run is one more run, however many there are.
  await Promise.all([testAgain(context), testAgain(context), testAgain(context)])
  await waitFor('| 2 scenarios pass |')
  expect(runs).toBe(3)
})
