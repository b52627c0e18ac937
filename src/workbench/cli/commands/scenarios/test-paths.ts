import { mapBounded } from '../../../project/walk/map-bounded.ts'
import { readFile } from 'node:fs/promises'
import { basename, relative } from 'node:path'
import { selectEnvironment } from '../../../../entries/kit.ts'
import { findTestFiles, skillOfEvals, type TestFile } from './find-test-files.ts'
import { resolveReading } from '../../opening/open-catalog.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import type { ModelOptions, ReadingOptions } from '../../shell/opening-options.ts'
import { reportDiagnostics } from '../../shell/report-diagnostics.ts'
import type { WireAdapter } from '../../../project/scenarios/adapter-model.ts'
import { projectFolder } from '../../../playground/chat/open-scenario.ts'
import type { ScenarioHost } from '../../../project/scenarios/run-scenario.ts'
import type { ScenarioModel } from '../../../project/scenarios/scenario-model.ts'
import { type RunSettings, testScenario } from '../../../project/scenarios/test-scenario.ts'
import type { TestedFile } from './write-tests.ts'

/** The way in which scenarios are run, and those that are. */
export interface TestPathsOptions extends ReadingOptions, ModelOptions {
  readonly adapter?: 'ai-sdk' | WireAdapter
  readonly repeat?: number
  readonly passRate?: number
  readonly filter?: string
}

/** Runs the scenarios and the evals at the paths once. */
export async function testPaths(
  paths: readonly string[],
  options: TestPathsOptions,
  context: CliContext,
): Promise<readonly TestedFile[]> {
  const found = (await Promise.all(paths.map(findTestFiles))).flat()
  const files = [...new Map(found.map((one) => [one.file, one])).values()]
  const hosts = new Map<string, Promise<ScenarioHost>>()
  const openHost = (folder: string) => {
    const known = hosts.get(folder) ?? openScenarioHost(folder, options, context)
    hosts.set(folder, known)
    return known
  }
  const { filter = '', repeat = 1, passRate = 1 } = options
  const model = await openModel(options, context)
  const settings = { model, repeat, passRate }
  // A scripted server has no answer to their prompts.
  const forEvals = options.adapter === undefined ? settings : { ...settings, model: null }
  const testFile = async ({ file, kind, root }: TestFile): Promise<readonly TestedFile[]> => {
    const shown = relative(context.cwd, file) || file
    const text = await readFile(file, 'utf8')
    const isWanted = (name: string) => name.includes(filter) || shown.includes(filter)
    if (kind === 'evals') {
      const tested = await testEvalsIn(text, file, () => openHost(root), forEvals, isWanted)
      return tested.map((one) => ({ file: shown, ...one }))
    }
    const tested = await testScenario(text, {
      isWanted,
      hostOf: (project) => openHost(projectFolder(file, project)),
      ...settings,
    })
    return tested === null ? [] : [{ file: shown, ...tested }]
  }
  const sorted = files.sort((one, other) => (one.file < other.file ? -1 : 1))
  return (await mapBounded(sorted, model === null ? 50 : 4, testFile)).flat()
}

/** Tests the evals in a JSON file; none in a file that has something else. */
async function testEvalsIn(
  text: string,
  file: string,
  openHost: () => Promise<ScenarioHost>,
  settings: RunSettings,
  isWanted: (name: string) => boolean,
): Promise<readonly Omit<TestedFile, 'file'>[]> {
  const [{ readEvals }, { testEvals }] = await Promise.all([
    import('../../../project/scenarios/read-evals.ts'),
    import('../../../project/scenarios/test-evals.ts'),
  ])
  const read = readEvals(text)
  if (read === null) {
    if (basename(file) !== 'evals.json') return []
    return [faulty('It has no list of evals with "prompt".')]
  }
  const host = await openHost()
  const skill = skillOfEvals(file, read.skill, host.catalog)
  if (skill !== null) return testEvals(read, skill, host, settings, isWanted)
  const whose = read.skill === null ? '' : `: "${read.skill}"`
  return [faulty(`No skill that is defined here is that of the evals${whose}.`)]
}

function faulty(message: string): Omit<TestedFile, 'file'> {
  return { name: null, ok: false, faults: [{ line: 1, message }], steps: [] }
}

/** Returns the way to the model that the options choose; null for the engine alone. */
async function openModel(
  { adapter, model: address, context: tokens }: TestPathsOptions,
  { env }: CliContext,
): Promise<ScenarioModel | null> {
  if (adapter !== undefined && adapter !== 'ai-sdk') {
    const { adapterModel } = await import('../../../project/scenarios/adapter-model.ts')
    return adapterModel(adapter)
  }
  if (adapter === undefined && address === undefined) return null
  const { chatModel } = await import('../../../playground/chat/chat-model.ts')
  return chatModel({ address, key: env['LOADOUT_MODEL_KEY'], context: tokens })
}

/** Reads the project in a folder, and returns the options of its sessions for scenarios. */
export async function openScenarioHost(
  folder: string,
  options: ReadingOptions,
  context: CliContext,
): Promise<ScenarioHost> {
  const [{ openDefinitions }, { o200kCounter }] = await Promise.all([
    import('../../../project/open-definitions.ts'),
    import('../../../../entries/plan.ts'),
  ])
  const { paths, reading } = await resolveReading([folder], options, context)
  const counter = await (context.counter ?? o200kCounter)()
  const project = await openDefinitions(paths, { ...reading, home: null, counter })
  if (options.json !== true) reportDiagnostics(project, options.verbose === true, context)
  const { catalog, config } = project
  return {
    catalog,
    ...config.options,
    services: config.services,
    tokenCounter: project.counter ?? counter,
    policy: { permissions: config.permissions, modes: config.modes },
    variables: new Map([
      ...selectEnvironment(context.env, config.environment),
      ...Object.entries(config.variables),
    ]),
  }
}
