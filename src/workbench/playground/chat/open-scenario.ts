import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { GivenProvider } from '../../../entries/adapter.ts'
import { type ExposureName, WorkspaceError } from '../../../entries/index.ts'
import { sanitiseLine, thrownMessage } from '../../../entries/kit.ts'
import type { Project } from '../../project/folders/open-project.ts'
import { readScenario, type Scenario } from '../../project/scenarios/read-scenario.ts'
import { scenarioOptions } from '../../project/scenarios/run-scenario.ts'

/** A scenario to play, and what its session is opened with. */
export interface OpenScenario {
  readonly scenario: Scenario
  /** The folder of its skills. */
  readonly folder: string
  readonly options: {
    readonly exposure?: ExposureName | 'auto'
    readonly agent?: string
    readonly mode?: string
    readonly provider?: Exclude<GivenProvider, object>
  }
  /** Adds its variables, its rules that deny and ask, and its results instead of code. */
  change(project: Project): Project
}

/** Reads the file of a scenario. Throws for a file that is none. */
export async function openScenario(file: string): Promise<OpenScenario> {
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
  return {
    scenario,
    folder: projectFolder(file, scenario.project),
    options: {
      ...(agent !== undefined && { agent }),
      ...(mode !== undefined && { mode }),
      ...(provider !== undefined && { provider: provider as Exclude<GivenProvider, object> }),
      ...(exposure !== undefined && { exposure }),
    },
    change(project) {
      const { config } = project
      // What a scenario allows does not count: its calls are those of a session of the person.
      const own = { ...scenario, rules: { deny: rules.deny ?? [], ask: rules.ask ?? [] } }
      const { catalog, policy } = scenarioOptions(own, {
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
