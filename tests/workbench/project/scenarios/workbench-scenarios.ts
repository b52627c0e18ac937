import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openScenarioHost } from '../../../../src/workbench/cli/commands/scenarios/test-paths.ts'
import {
  readScenario,
  type Scenario,
} from '../../../../src/workbench/project/scenarios/read-scenario.ts'
import type { ScenarioHost } from '../../../../src/workbench/project/scenarios/run-scenario.ts'

const WORKBENCH = join(import.meta.dirname, '../../../../examples/workbench')
const FOLDER = join(WORKBENCH, 'scenarios')
const ENDING = '.scenario.yaml'

const CONTEXT = { cwd: WORKBENCH, env: {}, trustFile: join(WORKBENCH, 'none') }

/** Returns the options of the sessions of the workbench. */
export async function workbenchHost(): Promise<ScenarioHost> {
  const options = { trust: true, json: true } as const
  return openScenarioHost(WORKBENCH, options, CONTEXT as Parameters<typeof openScenarioHost>[2])
}

/** Returns all scenarios of the workbench, by the names of their files. */
export async function workbenchScenarios(): Promise<ReadonlyMap<string, Scenario>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(ENDING))
  const named = files.map(async (file) => {
    const read = readScenario(await readFile(join(FOLDER, file), 'utf8'))
    if (!read.ok) throw new Error(`${file}: ${JSON.stringify(read.faults)}`)
    return [file.slice(0, -ENDING.length), read.scenario] as const
  })
  return new Map(await Promise.all(named))
}
