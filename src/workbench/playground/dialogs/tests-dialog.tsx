import { counted } from '../../../entries/plan.ts'
import { Line, type TextSpan, WindowedRows, wrappedText } from '../../../entries/ink-views.ts'
import { identityMemo, sanitiseLine, thrownMessage } from '../../../entries/kit.ts'
import { whyNoChange } from '../changes/change-session.ts'
import { closeDialog } from '../context/current-dialog.ts'
import type { DialogKind } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { ScenarioTest } from '../context/scenario-desk.ts'
import { rememberDrawnSize } from '../context/screen-layout.ts'
import type { Action } from '../context/screen-pane.ts'
import { note, type UiStore } from '../context/ui-state.ts'
import { scrollActions } from '../keys/scroll-actions.ts'

/** Writes what happened in the session as a scenario, with what it expects, and runs it. */
async function recordSession({ ui, live, scenarios, workspace }: PlaygroundContext): Promise<void> {
  const why = whyNoChange({ live, ui })
  if (why !== null || scenarios === null) {
    return ui.setState({ banner: note('note', why ?? NO_FOLDER) })
  }
  const { file, steps, expectations, unmet } = await scenarios.record(workspace())
  const counts = `${counted(steps, 'step')}, ${counted(expectations, 'expectation')}`
  const text = `recorded as ${file}   ${counts}`
  const [first] = unmet
  ui.setState({
    banner:
      first === undefined
        ? note('done', `${text} hold`)
        : note('refused', `${text}, ${unmet.length} do not hold when it runs again: ${first}`),
  })
}

/** Runs all scenarios of the project, and shows which pass. */
async function testScenarios({ ui, live, scenarios }: PlaygroundContext): Promise<void> {
  if (scenarios === null) return ui.setState({ banner: note('note', live ? NO_FOLDER : READ_ONLY) })
  const tests = await scenarios.test()
  const tested = countTests(tests)
  const { passed, failed } = tested
  const count = passed + failed
  const found = counted(count, 'scenario')
  const result = count === 0 ? '' : failed === 0 ? ': all passed' : `: ${failed} failed`
  ui.setState({
    tested: count === 0 ? null : tested,
    dialog: { kind: 'tests', title: `${found}${result}`, tests, scroll: 0 },
  })
}

function countTests(tests: readonly ScenarioTest[]) {
  const count = (wanted: boolean) => tests.filter(({ ok }) => ok === wanted).length
  return { passed: count(true), failed: count(false) }
}

/** The screens whose scenarios run again. */
const testing = new WeakMap<UiStore, { isStale: boolean }>()

/** Runs the scenarios again, after something was saved, if they ran on this screen before. */
export async function testAgain({ ui, scenarios }: PlaygroundContext): Promise<void> {
  if (scenarios === null || ui.getState().tested === null) return
  const known = testing.get(ui)
  if (known !== undefined) {
    known.isStale = true
    return
  }
  const run = { isStale: true }
  testing.set(ui, run)
  try {
    while (run.isStale) {
      run.isStale = false
      ui.setState({ tested: countTests(await scenarios.test()) })
    }
  } catch (error) {
    ui.setState({ tested: null, banner: note('refused', sanitiseLine(thrownMessage(error))) })
  } finally {
    testing.delete(ui)
  }
}

const NO_FOLDER = 'This screen has no folder of scenarios.'

const READ_ONLY = 'There is no folder of scenarios: the session is open read-only.'

/** The actions that record and run scenarios. */
export const scenarioActions: readonly Action[] = [
  { id: 'screen.record', title: 'Record as a scenario', keys: ['r'], run: recordSession },
  { id: 'screen.test', title: 'Run all scenarios', keys: ['t'], run: testScenarios },
]

/** A line of the scenarios that ran. */
type TestLine = Pick<TextSpan, 'text' | 'tone' | 'dim'>

const testCache = identityMemo<readonly TestLine[]>()

/** The scenarios that ran: those that failed first, with what was expected and what was found. */
export const testsDialog: DialogKind<'tests'> = {
  kind: 'tests',
  title: ({ title }) => title,
  isBesideLists: true,
  actions: [
    { id: 'tests.close', title: 'Close', keys: ['enter'], run: closeDialog },
    ...scrollActions('tests', ({ tests }, width) => testLines(tests, width)),
  ],
  View({ dialog: { tests, scroll }, context, width, height, theme }) {
    rememberDrawnSize(context, 'tests', { width, height })
    const lines = testLines(tests, width)
    const renderRow = (at: number) => (
      <Line theme={theme} width={width} spans={[lines[at] ?? { text: ' ' }]} />
    )
    return (
      <WindowedRows
        {...{ scroll, width, height, theme, renderRow }}
        count={lines.length}
        selected={-1}
      />
    )
  },
}

function testLines(tests: readonly ScenarioTest[], width: number): readonly TestLine[] {
  return testCache([tests], `${width}`, () => {
    if (tests.length === 0) return [{ text: 'No scenario was found. r records one.' }]
    const order = [false, true, null]
    return tests
      .toSorted((one, other) => order.indexOf(one.ok) - order.indexOf(other.ok))
      .flatMap(({ name, ok, lines }): readonly TestLine[] => [
        ok === null
          ? { text: `--   ${name}`, dim: true }
          : { text: `${ok ? 'ok  ' : 'FAIL'} ${name}`, tone: ok ? 'good' : 'bad' },
        ...lines
          .flatMap((line) => wrappedText(line, Math.max(1, width - INDENT)))
          .map((text) => ({ text: `${' '.repeat(INDENT)}${text}`, dim: ok !== false })),
      ])
  })
}

/** Columns before the lines of a scenario, below its name. */
const INDENT = 5
