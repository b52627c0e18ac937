import { watch } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
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
import { wrongUsage } from '../../shell/wrong-usage.ts'
import { selectEnvironment } from '../../../kernel/substitute-variables.ts'
import type { WireAdapter } from '../../../project/scenarios/adapter-model.ts'
import type { ScenarioHost } from '../../../project/scenarios/run-scenario.ts'
import type { ScenarioModel } from '../../../project/scenarios/scenario-model.ts'
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
  summary: 'Run scenarios: scripted sessions, and what must hold in them',
  description:
    'Run the *.scenario.yaml files at the given paths, or below the current folder. A scenario scripts a session: what the user says, what a model answers, and what must then be exposed, refused, asked, explained or spent. Code of tools runs in trusted folders, or with --trust, unless the scenario has a stub for it.\n\n' +
    'Without --adapter and --model, the engine runs alone: no request is made. With --adapter, the requests of that adapter go over a socket to a server on this machine, which answers as the scenario says. With --model, what the user says goes to a real model, whose answers count instead of those of the scenario; steps without "user" happen as written.\n\n' +
    'Exit codes: 0 all passed, 1 one failed or cannot be read, or there is none.',
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
  const [{ junitReport, writeTests }, { testScenario }] = await Promise.all([
    import('./write-tests.ts'),
    import('../../../project/scenarios/test-scenario.ts'),
  ])
  const files = (await Promise.all(paths.map(scenarioFiles))).flat()
  const hosts = new Map<string, Promise<ScenarioHost>>()
  const hostOf = (folder: string) => {
    const known = hosts.get(folder) ?? openScenarioHost(folder, options, context)
    hosts.set(folder, known)
    return known
  }
  const { filter = '', repeat = 1, passRate = 1 } = options
  const model = await modelOf(options, context)
  const testFile = async (file: string): Promise<TestedFile | null> => {
    const shown = relative(context.cwd, file) || file
    const text = await readFile(file, 'utf8')
    const tested = await testScenario(text, {
      isWanted: (name) => name.includes(filter) || shown.includes(filter),
      hostOf: (project) => hostOf(projectFolder(file, project)),
      model,
      repeat,
      passRate,
    })
    return tested && { file: shown, ...tested }
  }
  const read = await mapAtOnce([...new Set(files)].sort(), model === null ? 50 : 4, testFile)
  const tested = read.filter((one) => one !== null)
  if (options.junit !== undefined) {
    await writeFile(resolve(context.cwd, options.junit), junitReport(tested))
  }
  if (options.json === true) context.stdout.write(jsonText(tested))
  else writeTests(tested, context)
  return tested.length > 0 && tested.every(({ ok }) => ok) ? 0 : 1
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

const ENDING = '.scenario.yaml'

/** Returns the scenarios at a path: the file itself, or those below a folder. */
async function scenarioFiles(path: string): Promise<readonly string[]> {
  const stats = await stat(path).catch(() => null)
  if (stats === null) {
    throw wrongUsage(`"${path}" does not exist.`, 'Give scenarios, or folders that have some.')
  }
  if (!stats.isDirectory()) return [path]
  const found: string[] = []
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inside = join(path, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git') {
      found.push(...(await scenarioFiles(inside)))
    } else if (entry.isFile() && entry.name.endsWith(ENDING)) found.push(inside)
  }
  return found
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
