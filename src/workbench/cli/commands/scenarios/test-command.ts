import { watch } from 'node:fs'
import { resolve } from 'node:path'
import { Option } from 'commander'
import type { CliCommand } from '../../shell/cli-command.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import {
  type JudgingOptions,
  judgingOptions,
  modelOptions,
  numberBetween,
  readingOptions,
} from '../../shell/opening-options.ts'
import type { TestPathsOptions } from './test-paths.ts'

interface TestOptions extends TestPathsOptions, JudgingOptions {
  readonly watch?: true
  readonly init?: true
}

/** `loadout test`: run scenarios, and say what they expected that does not hold. */
export const testCommand: CliCommand<TestOptions> = {
  name: 'test',
  summary: 'Run scenarios and evals of skills: sessions, and what must hold in them',
  description:
    'Run the *.scenario.yaml files at the given paths, or below the current folder. A scenario scripts a session: what the user says, what a model answers, and what must then be exposed, refused, asked, explained or spent. Code of tools runs in trusted folders, or with --trust, unless the scenario has a stub for it.\n\n' +
    'Without --adapter and --model, the engine runs alone: no request is made. With --adapter, the requests of that adapter go over a socket to a server on this machine, which answers as the scenario says. With --model, what the user says goes to a real model, whose answers count instead of those of the scenario; steps without "user" happen as written.\n\n' +
    'Evals of skills (JSON files in the folder "evals" of a skill, such as evals.json and trigger sets) are tested, too: prompts go to the model of --model; without it, prompts that should activate a skill are searched for among the skills at the path. What only a person can judge is counted as not judged, never as passed.\n\n' +
    'Exit codes: 0 all that was judged passed, 1 one failed or cannot be read, or nothing was judged. With --repeat, what failed in runs that may fail is a warning.',
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
    ...judgingOptions(),
    new Option('--watch', 'Run again when a file changes'),
    new Option(
      '--init',
      'Write a scenario for each skill that has none: it is found, is loaded, and costs at most what it costs today',
    ).conflicts(['watch', 'junit', 'model', 'adapter', 'repeat', 'filter']),
    ...readingOptions(),
  ],
  examples: [
    'loadout test examples/workbench --trust',
    'loadout test --init',
    'loadout test scenarios --filter refund --junit results.xml',
    'loadout test scenarios --model http://localhost:11434/v1#qwen3 --repeat 5 --pass-rate 0.8',
  ],
  async run({ words, options, context }) {
    const paths = (words.length === 0 ? ['.'] : words).map((word) => resolve(context.cwd, word))
    if (options.init === true) {
      const { initTests } = await import('./init-tests.ts')
      return initTests(paths, options, context)
    }
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
  const [{ testPaths }, { testJudgement, writeTests }, { finishJudging }] = await Promise.all([
    import('./test-paths.ts'),
    import('./write-tests.ts'),
    import('../../shell/finish-judging.ts'),
  ])
  const tested = await testPaths(paths, options, context)
  if (options.json === true) context.stdout.write(jsonText(tested))
  else writeTests(tested, context)
  const isJudged = tested.some(({ ok }) => ok !== null)
  const code = await finishJudging(tested.map(testJudgement), options, context)
  return isJudged ? code : 1
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
