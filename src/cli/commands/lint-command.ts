import { Option } from 'commander'
import { LINT_LEVELS, type LintLevel } from '../../catalog/lint/codes/lint-level.ts'
import { readingOf } from '../opening/build-options.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { jsonOption } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { lintJson, writeLintReport } from './lint-report.ts'
import { whileReading } from '../shell/while-reading.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

interface LintCommandOptions {
  readonly level: LintLevel
  readonly trust?: true
  readonly json?: true
  readonly quiet?: true
}

/** `loadout lint`: what is wrong with definitions, file by file. */
export const lintCommand: CliCommand<LintCommandOptions> = {
  name: 'lint',
  summary: 'tell what is wrong with skills, tools, toolsets, agents and configuration',
  description:
    'Read the definitions at the paths, or those of this folder, and tell what is wrong with each, where, and what to do. ' +
    'spec asks what the Agent Skills specification asks of skills, exactly as its reference validator does; ' +
    'portable asks what known clients ask, too; native, the default, asks everything of every kind of definition. ' +
    'The exit code is 1 when an item is an error. docs/diagnostics.md explains every code.',
  arguments: '[paths...]',
  options: () => [
    new Option('--level <level>', 'how much is asked').choices(LINT_LEVELS).default('native'),
    new Option('--quiet', 'leave out remarks'),
    new Option('--trust', 'run the configurations of these folders this once'),
    jsonOption(),
  ],
  examples: [
    'loadout lint examples/workbench',
    'loadout lint examples/workbench/skills --level spec --json',
  ],
  async run({ words, options, context }) {
    const { paths, reading } = await readingOf(words, options, context)
    const [{ lintProject }, { BUILD_LIMITS }] = await Promise.all([
      import('../../project/lint/lint-project.ts'),
      import('../../project/manifest/build-project.ts'),
    ])
    const { level } = options
    const report = await whileReading(context, (onFolder, line) =>
      lintProject(paths, {
        ...reading,
        level,
        limits: BUILD_LIMITS,
        onFolder,
        onCompared: (done, of) => line.show('Comparing definitions', done, of),
      }),
    )
    if (report.checked === 0 && report.ok) {
      const what = level === 'native' ? 'definition' : 'skill'
      throw wrongUsage(
        `No ${what} was found ${words.length === 0 ? 'here' : `at ${words.join(', ')}`}.`,
        'Give folders that hold some, or their files.',
      )
    }
    if (options.json === true) context.stdout.write(jsonText(lintJson(report)))
    else writeLintReport(report, options.quiet === true, context)
    return report.ok ? 0 : 1
  },
}
