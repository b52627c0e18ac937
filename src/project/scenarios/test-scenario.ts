import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { readScenario, type ScenarioFault } from './read-scenario.ts'
import { runScenario, type ScenarioHost, type StepResult } from './run-scenario.ts'

/** A scenario file after it was tested. */
export interface TestedScenario {
  /** Null for a file that cannot be read as a scenario. */
  readonly name: string | null
  readonly ok: boolean
  /** Reasons why the file was not run. */
  readonly faults: readonly ScenarioFault[]
  readonly steps: readonly (StepResult & { readonly line: number })[]
}

export interface TestScenarioOptions {
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
  { isWanted, hostOf }: TestScenarioOptions,
): Promise<TestedScenario | null> {
  const read = readScenario(text)
  if (!read.ok) return { name: null, ok: false, faults: read.faults, steps: [] }
  const { scenario, lines } = read
  const { name } = scenario
  if (!isWanted(name)) return null
  try {
    const { ok, steps } = await runScenario(scenario, await hostOf(scenario.project))
    const placed = steps.map((step) => ({ ...step, line: lines[step.step - 1] ?? 1 }))
    return { name, ok, faults: [], steps: placed }
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    const message = [error.message, error.hint].filter((one) => one !== '').join(' ')
    return { name, ok: false, faults: [{ line: 1, message }], steps: [] }
  }
}
