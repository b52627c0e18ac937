import { watch } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, relative, resolve } from 'node:path'
import { Option } from 'commander'
import { resolveReading } from '../../opening/open-catalog.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { jsonText } from '../../shell/json-text.ts'
import {
  type ModelOptions,
  modelOptions,
  numberBetween,
  readingOptions,
  type ReadingOptions,
} from '../../shell/opening-options.ts'
import { reportDiagnostics } from '../../shell/report-diagnostics.ts'
import { selectEnvironment } from '../../../kernel/substitute-variables.ts'
import type { WireAdapter } from '../../../project/scenarios/adapter-model.ts'
import type { ScenarioHost } from '../../../project/scenarios/run-scenario.ts'
import type { ScenarioModel } from '../../../project/scenarios/scenario-model.ts'
import type { RunSettings } from '../../../project/scenarios/test-scenario.ts'
import type { TestFile } from './find-test-files.ts'
import type { TestedFile } from './write-tests.ts'

export interface TestOptions extends ReadingOptions, ModelOptions {
  readonly adapter?: 'ai-sdk' | WireAdapter
  readonly repeat?: number
  readonly passRate?: number
  readonly filter?: string
  readonly junit?: string
  readonly watch?: true
}

/** `loadout test`: run scenarios, and say what they expected that does not hold. */
export const testCommand: CliCommand<TestOptions> = {
  name: 'test',
  summary: 'Run scenarios and evals of skills: sessions, and what must hold in them',
  description:
    'Run the *.scenario.yaml files at the given paths, or below the current folder. A scenario scripts a session: what the user says, what a model answers, and what must then be exposed, refused, asked, explained or spent. Code of tools runs in trusted folders, or with --trust, unless the scenario has a stub for it.\n\n' +
    'Without --adapter and --model, the engine runs alone: no request is made. With --adapter, the requests of that adapter go over a socket to a server on this machine, which answers as the scenario says. With --model, what the user says goes to a real model, whose answers count instead of those of the scenario; steps without "user" happen as written.\n\n' +
    'Evals of skills (JSON files in the folder "evals" of a skill, such as evals.json and trigger sets) are tested, too: prompts go to the model of --model; without it, prompts that should activate a skill are searched for among the skills at the path. What only a person can judge is counted as not judged, never as passed.\n\n' +
    'Exit codes: 0 all that was judged passed, 1 one failed or cannot be read, or nothing was judged.',
  arguments: '[paths...]',
  options: () => [
    new Option('--adapter <name>', 'Send requests through this adapter to a scripted server')
      .choices(['ai-sdk', 'openai', 'openai-chat', 'anthropic'])
      .conflicts('model'),
    ...modelOptions(),
    new Option(
      '--repeat <n>',
      'Run each scenario this often, and report how many runs passed',
    ).argParser(numberBetween(1, 1000, true)),
    new Option(
      '--pass-rate <share>',
      'With --repeat: the share of its runs that has to pass, from 0 to 1 (default: 1)',
    ).argParser(numberBetween(0, 1, false)),
    new Option('--filter <text>', 'Run only scenarios whose name or file contains this text'),
    new Option('--junit <file>', 'Also write the results to this file, in the form of JUnit'),
    new Option('--watch', 'Run again when a file changes'),
    ...readingOptions(),
  ],
  examples: [
    'loadout test examples/workbench --trust',
    'loadout test scenarios --filter refund --junit results.xml',
    'loadout test scenarios --model http://localhost:11434/v1#qwen3 --repeat 5 --pass-rate 0.8',
  ],
  async run({ words, options, context }) {
    const paths = (words.length === 0 ? ['.'] : words).map((word) => resolve(context.cwd, word))
    const first = await testAll(paths, options, context)
    if (options.watch !== true) return first
    await watchPaths(paths, () => testAll(paths, options, context), context)
    return 0
  },
}

/** Runs all scenarios once, and reports them. */
async function testAll(
  paths: readonly string[],
  options: TestOptions,
  context: CliContext,
): Promise<0 | 1> {
  const [{ findTestFiles }, { junitReport, writeTests }, { testScenario }] = await Promise.all([
    import('./find-test-files.ts'),
    import('./write-tests.ts'),
    import('../../../project/scenarios/test-scenario.ts'),
  ])
  const found = (await Promise.all(paths.map(findTestFiles))).flat()
  const files = [...new Map(found.map((one) => [one.file, one])).values()]
  const hosts = new Map<string, Promise<ScenarioHost>>()
  const hostOf = (folder: string) => {
    const known = hosts.get(folder) ?? openScenarioHost(folder, options, context)
    hosts.set(folder, known)
    return known
  }
  const { filter = '', repeat = 1, passRate = 1 } = options
  const model = await modelOf(options, context)
  const settings = { model, repeat, passRate }
  // A scripted server has no answer to their prompts.
  const forEvals = options.adapter === undefined ? settings : { ...settings, model: null }
  const testFile = async ({ file, kind, root }: TestFile): Promise<readonly TestedFile[]> => {
    const shown = relative(context.cwd, file) || file
    const text = await readFile(file, 'utf8')
    const isWanted = (name: string) => name.includes(filter) || shown.includes(filter)
    if (kind === 'evals') {
      const tested = await testEvalsIn(text, file, () => hostOf(root), forEvals, isWanted)
      return tested.map((one) => ({ file: shown, ...one }))
    }
    const tested = await testScenario(text, {
      isWanted,
      hostOf: (project) => hostOf(projectFolder(file, project)),
      ...settings,
    })
    return tested === null ? [] : [{ file: shown, ...tested }]
  }
  const sorted = files.sort((one, other) => (one.file < other.file ? -1 : 1))
  const tested = (await mapAtOnce(sorted, model === null ? 50 : 4, testFile)).flat()
  if (options.junit !== undefined) {
    await writeFile(resolve(context.cwd, options.junit), junitReport(tested))
  }
  if (options.json === true) context.stdout.write(jsonText(tested))
  else writeTests(tested, context)
  const isJudged = tested.some(({ ok }) => ok !== null)
  return isJudged && tested.every(({ ok }) => ok !== false) ? 0 : 1
}

/** Tests the evals in a JSON file; none in a file that has something else. */
async function testEvalsIn(
  text: string,
  file: string,
  hostOf: () => Promise<ScenarioHost>,
  settings: RunSettings,
  isWanted: (name: string) => boolean,
): Promise<readonly Omit<TestedFile, 'file'>[]> {
  const [{ skillOfEvals }, { readEvals }, { testEvals }] = await Promise.all([
    import('./find-test-files.ts'),
    import('../../../project/scenarios/read-evals.ts'),
    import('../../../project/scenarios/test-evals.ts'),
  ])
  const read = readEvals(text)
  if (read === null) {
    if (basename(file) !== 'evals.json') return []
    return [faulty('It has no list of evals with "prompt".')]
  }
  const host = await hostOf()
  const skill = skillOfEvals(file, read.skill, host.catalog)
  if (skill !== null) return testEvals(read, skill, host, settings, isWanted)
  return [faulty(`No skill that is defined here is that of the evals${named(read.skill)}.`)]
}

function named(skill: string | null): string {
  return skill === null ? '' : `: "${skill}"`
}

function faulty(message: string): Omit<TestedFile, 'file'> {
  return { name: null, ok: false, faults: [{ line: 1, message }], steps: [] }
}

/** Returns the way to the model that the options choose; null for the engine alone. */
async function modelOf(
  { adapter, model: address, context: tokens }: TestOptions,
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

/** Maps values, a few of them at the same time, and keeps their order. */
async function mapAtOnce<T, Mapped>(
  values: readonly T[],
  most: number,
  map: (value: T) => Promise<Mapped>,
): Promise<readonly Mapped[]> {
  const mapped: Mapped[] = []
  const queue = values.entries()
  const work = async () => {
    for (const [index, value] of queue) mapped[index] = await map(value)
  }
  await Promise.all(Array.from({ length: most }, work))
  return mapped
}

/** Reads the project in a folder, and returns the options of its sessions for scenarios. */
export async function openScenarioHost(
  folder: string,
  options: ReadingOptions,
  context: CliContext,
): Promise<ScenarioHost> {
  const [{ openDefinitions }, { o200kCounter }] = await Promise.all([
    import('../../../project/open-definitions.ts'),
    import('../../../workspace/open/o200k-counter.ts'),
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

/** Returns the folder of the skills of a scenario: its own, or the one above `scenarios`. */
function projectFolder(file: string, project: string | undefined): string {
  const folder = dirname(file)
  if (project !== undefined) return resolve(folder, project)
  return basename(folder) === 'scenarios' ? dirname(folder) : folder
}

/** The files that definitions and scenarios are in. What the run itself writes is no change. */
const WATCHED = /\.(?:ya?ml|md|json|[cm]?[jt]sx?)$/u

/** Milliseconds in which several changes count as one. */
const SETTLE_MS = 100

/** Calls `run` after changes below the paths, one run after the other, until the command is interrupted. */
async function watchPaths(
  paths: readonly string[],
  run: () => Promise<unknown>,
  context: CliContext,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve<unknown>(undefined)
  const onChange = (_event: string, file: string | null) => {
    if (file !== null && !WATCHED.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => (running = running.then(run)), SETTLE_MS)
  }
  const watchers = paths.map((path) => watch(path, { recursive: true }, onChange))
  await new Promise<void>((done) => context.onInterrupt(done))
  for (const watcher of watchers) watcher.close()
  clearTimeout(timer)
  await running
}
