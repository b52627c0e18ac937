import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { GivenProvider } from '../../../entries/adapter.ts'
import { type ExposureName, WorkspaceError } from '../../../entries/index.ts'
import { sanitiseLine, thrownMessage } from '../../../entries/kit.ts'
import type { Project } from '../../project/folders/open-project.ts'
import type { Scenario } from '../../project/scenarios/read-scenario.ts'

/** The scenario that a session plays, and what it is opened with. */
export interface OpenScenario<Options> {
  /** Null for a session that plays none. */
  readonly scenario: Scenario | null
  /** The paths of the definitions: those that were given, else the folder of the scenario. */
  readonly words: readonly string[]
  /** The given options, and those of the scenario. */
  readonly options: Options
  /** Adds its variables, its rules that deny and ask, and its results instead of code. */
  change(project: Project): Project
}

/** Options that a scenario has, too. Given ones count more. */
interface Played {
  readonly scenario?: string
  readonly path?: readonly string[]
  readonly exposure?: ExposureName | 'auto'
  readonly agent?: string
  readonly mode?: string
  readonly provider?: Exclude<GivenProvider, object>
}

/** Reads the file of the scenario that the options name. Throws for a file that is none. */
export async function openScenario<Options extends Played>(
  paths: readonly string[],
  given: Options,
  cwd: string,
): Promise<OpenScenario<Options>> {
  const words = [...paths, ...(given.path ?? [])]
  if (given.scenario === undefined) {
    return { scenario: null, words, options: given, change: (project) => project }
  }
  const [{ readScenario }, { scenarioOptions }] = await Promise.all([
    import('../../project/scenarios/read-scenario.ts'),
    import('../../project/scenarios/run-scenario.ts'),
  ])
  const file = resolve(cwd, given.scenario)
  const wrong = (what: string, hint: string) =>
    new WorkspaceError('WRONG_USAGE', `"${sanitiseLine(file)}" ${what}.`, {
      hint: sanitiseLine(hint),
    })
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw wrong('cannot be read', thrownMessage(error))
  })
  const read = readScenario(text)
  if (!read.ok) {
    const faults = read.faults.map(({ line, message }) => `Line ${line}: ${message}`)
    throw wrong('is no scenario', faults.join(' '))
  }
  const { scenario } = read
  const { agent, mode, provider, exposure, variables = {}, rules = {} } = scenario
  const own = {
    ...(agent !== undefined && { agent }),
    ...(mode !== undefined && { mode }),
    ...(provider !== undefined && { provider: provider as Exclude<GivenProvider, object> }),
    ...(exposure !== undefined && { exposure }),
  }
  return {
    scenario,
    words: words.length === 0 ? [projectFolder(file, scenario.project)] : words,
    options: { ...own, ...given },
    change(project) {
      const { config } = project
      // What a scenario allows does not count: its calls are those of a session of the person.
      const strict = { ...scenario, rules: { deny: rules.deny ?? [], ask: rules.ask ?? [] } }
      const { catalog, policy } = scenarioOptions(strict, {
        catalog: project.catalog,
        policy: { permissions: config.permissions },
      })
      const permissions = policy?.permissions ?? {}
      const all = [...Object.entries(config.variables), ...Object.entries(variables)]
      const changed = { ...config, permissions, variables: Object.fromEntries(all) }
      return { ...project, catalog, config: changed }
    },
  }
}

/** Returns the folder of the skills of a scenario: its own, or the one above `scenarios`. */
export function projectFolder(file: string, project: string | undefined): string {
  const folder = dirname(file)
  if (project !== undefined) return resolve(folder, project)
  return basename(folder) === 'scenarios' ? dirname(folder) : folder
}
