import { WorkspaceError } from '../../../entries/index.ts'
import { readScenario, type Scenario, type ScenarioFault } from './read-scenario.ts'
import {
  runScenario,
  type ScenarioHost,
  type ScenarioResult,
  type StepResult,
} from './run-scenario.ts'
import type { ScenarioModel } from './scenario-model.ts'

/** A scenario file after it was tested. */
export interface TestedScenario {
  /** Null for a file that cannot be read as a scenario. */
  readonly name: string | null
  readonly ok: boolean
  /** Reasons why the file was not run. */
  readonly faults: readonly ScenarioFault[]
  /** Of the first run that failed, else of the last one. */
  readonly steps: readonly (StepResult & { readonly line: number })[]
  /** The runs, and those of them that passed; absent for a scenario that runs once. */
  readonly runs?: { readonly count: number; readonly passed: number }
}

/** The way in which scenarios are run. */
export interface RunSettings {
  /** The way to the model; the engine alone when null. */
  readonly model: ScenarioModel | null
  /** The number of runs of each. */
  readonly repeat: number
  /** The share of its runs that has to pass. */
  readonly passRate: number
}

export interface TestScenarioOptions extends RunSettings {
  /** False for a scenario, by name, that is left out. */
  isWanted(name: string): boolean
  /** Returns the host of the project that a scenario names; of the one it lies in when absent. */
  hostOf(project: string | undefined): Promise<ScenarioHost>
}

/**
 * Reads and runs the text of a scenario. A file that cannot be read, or whose session cannot be opened, has failed;
 * null for a scenario that is not wanted.
 */
export async function testScenario(
  text: string,
  { isWanted, hostOf, ...settings }: TestScenarioOptions,
): Promise<TestedScenario | null> {
  const read = readScenario(text)
  if (!read.ok) return { name: null, ok: false, faults: read.faults, steps: [] }
  const { scenario, lines } = read
  if (!isWanted(scenario.name)) return null
  const host = () => hostOf(scenario.project)
  const { steps, ...tested } = await repeatScenario(scenario, host, settings)
  const placed = steps.map((step) => ({ ...step, line: lines[step.step - 1] ?? 1 }))
  return { name: scenario.name, ...tested, steps: placed }
}

/** Runs a scenario as often as wanted. A session that cannot be opened, and a model that fails, are faults. */
export async function repeatScenario(
  scenario: Scenario,
  host: () => Promise<ScenarioHost>,
  { model, repeat, passRate }: RunSettings,
): Promise<Pick<TestedScenario, 'ok' | 'faults' | 'runs'> & Pick<ScenarioResult, 'steps'>> {
  let passed = 0
  let shown: ScenarioResult | null = null
  try {
    for (let run = 0; run < repeat; run += 1) {
      const result = await runScenario(scenario, await host(), model)
      if (result.ok) passed += 1
      if (shown?.ok !== false) shown = result
    }
  } catch (error) {
    if (!WorkspaceError.is(error) || error.code === 'WRONG_USAGE') throw error
    const message = [error.message, error.hint].filter((one) => one !== '').join(' ')
    return { ok: false, faults: [{ line: 1, message }], steps: [] }
  }
  return {
    ok: passed >= repeat * passRate,
    faults: [],
    steps: shown?.steps ?? [],
    ...(repeat > 1 && { runs: { count: repeat, passed } }),
  }
}
