import { readScenario, type Scenario } from './read-scenario.ts'
import { runScenario, type ScenarioHost } from './run-scenario.ts'

/** The answer of a matcher of vitest or Jest. */
export interface MatcherAnswer {
  readonly pass: boolean
  message(): string
}

/**
 * Matchers for `expect.extend` of vitest or Jest:
 *
 *     expect.extend(scenarioMatchers)
 *     await expect({ catalog }).toPassScenario(text)
 */
export const scenarioMatchers = {
  /** Passes when the scenario, or the text of its file, runs on the host and all that it expects holds. */
  async toPassScenario(host: ScenarioHost, given: Scenario | string): Promise<MatcherAnswer> {
    const read =
      typeof given === 'string'
        ? readScenario(given)
        : { ok: true as const, scenario: given, lines: [] }
    if (!read.ok) {
      const faults = read.faults.map(({ line, message }) => `line ${line}: ${message}`)
      return answer(false, `The scenario cannot be read.\n${faults.join('\n')}`)
    }
    const { ok, name, steps } = await runScenario(read.scenario, host)
    const unmet = steps.flatMap(({ step, unmet }) =>
      unmet.map(({ expectation, expected, actual, why }) => {
        const values = `expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}`
        return `step ${step}, ${expectation}: ${values}. ${why}`.trimEnd()
      }),
    )
    return ok
      ? answer(true, `The scenario "${name}" passed, and should not.`)
      : answer(false, `The scenario "${name}" failed.\n${unmet.join('\n')}`)
  },
}

function answer(pass: boolean, message: string): MatcherAnswer {
  return { pass, message: () => message }
}
