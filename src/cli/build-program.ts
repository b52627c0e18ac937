import { Command } from 'commander'
import { activateCommand } from './commands/activate-command.ts'
import { buildCommand } from './commands/build-command.ts'
import { callCommand } from './commands/call-command.ts'
import { diffCommand } from './commands/diff-command.ts'
import { evalCommand } from './commands/eval-command.ts'
import { exportCommand } from './commands/export-command.ts'
import { importCommand } from './commands/import-command.ts'
import { initCommand } from './commands/init-command.ts'
import { lintCommand } from './commands/lint-command.ts'
import { listCommand } from './commands/list-command.ts'
import { lockCommand } from './commands/lock-command.ts'
import { playCommand } from './commands/play-command.ts'
import { promptCommand } from './commands/prompt-command.ts'
import { replayCommand } from './commands/replay-command.ts'
import { searchCommand } from './commands/search-command.ts'
import { sessionsGroup } from './commands/sessions-group.ts'
import { showCommand } from './commands/show-command.ts'
import { skillsCommand } from './commands/skills-command.ts'
import { toolsCommand } from './commands/tools-command.ts'
import { trustCommand } from './commands/trust-command.ts'
import { whyCommand } from './commands/why-command.ts'
import type { CliCommand, CliGroup } from './shell/cli-command.ts'
import type { CliContext } from './shell/cli-context.ts'
import { type ExitCode, refuseMistyped, unknownCommand } from './shell/wrong-usage.ts'
import { packageVersion } from '../project/manifest/package-version.ts'

/** In the order help lists them. The first is what `loadout` alone does. */
const COMMANDS: readonly (CliCommand<never> | CliGroup)[] = [
  playCommand,
  promptCommand,
  toolsCommand,
  skillsCommand,
  listCommand,
  showCommand,
  searchCommand,
  whyCommand,
  activateCommand,
  callCommand,
  replayCommand,
  sessionsGroup,
  buildCommand,
  lintCommand,
  evalCommand,
  lockCommand,
  diffCommand,
  initCommand,
  importCommand,
  exportCommand,
  trustCommand,
]

const NAMES = [...COMMANDS.map(({ name }) => name), 'help']

/**
 * The whole command line. Parsing throws commander's errors and runs the command that was
 * meant; `done` is told its exit code.
 */
export function buildProgram(context: CliContext, done: (code: ExitCode) => void): Command {
  const program = new Command('loadout')
    .description("Decides, proves and explains which tools an agent's model can see and call.")
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ subcommandTerm })
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      // Errors are told in our own words, by whoever catches them.
      writeErr: () => {},
      getOutHelpWidth: () => context.columns,
      getOutHasColors: () => context.colour,
    })
  for (const one of COMMANDS) {
    if ('commands' in one) addGroup(program, one, context, done)
    else addCommand(program, one, { siblings: one === COMMANDS[0] ? NAMES : null }, context, done)
  }
  program
    .command('help [command...]')
    .summary('print help, also for a command')
    .action((names: readonly string[]) => {
      const about = names.reduce((within: Command, name) => {
        const found = within.commands.find((one) => one.name() === name)
        if (found !== undefined) return found
        throw unknownCommand(names.join(' '), 'no command', namesIn(program))
      }, program)
      about.outputHelp()
      done(0)
    })
  return program.addHelpText('after', examples(['loadout examples/workbench --agent assistant']))
}

function addGroup(
  program: Command,
  { name, summary, commands }: CliGroup,
  context: CliContext,
  done: (code: ExitCode) => void,
): void {
  const group = program.command(name).summary(summary).description(summary).helpCommand(false)
  const names = commands.map((one) => one.name)
  commands.forEach((command, at) => {
    addCommand(group, command, { siblings: at === 0 ? names : null, group: name }, context, done)
  })
}

/** Where a command stands. */
interface CommandPlace {
  /** Of the default one of its place: what a word may be mistyped for; null for any other. */
  readonly siblings: readonly string[] | null
  readonly group?: string
}

function addCommand(
  parent: Command,
  command: CliCommand<never>,
  { siblings, group }: CommandPlace,
  context: CliContext,
  done: (code: ExitCode) => void,
): void {
  const added = parent
    .command(`${command.name} ${command.arguments}`, { isDefault: siblings !== null })
    .summary(command.summary)
    .description(command.description)
    .addHelpText('after', examples(command.examples))
  for (const option of command.options()) added.addOption(option)
  added.option('--no-color', 'print without colours, as with NO_COLOR=1')
  added.action(async () => {
    const words = added.args
    for (const word of siblings === null ? [] : words) {
      await refuseMistyped(word, siblings ?? [], context.cwd, group)
    }
    const { color } = added.opts<{ color: boolean }>()
    const request = { words, options: added.opts<never>(), context }
    done(await command.run(color ? request : { ...request, context: plain(context) }))
  })
}

/** Every command by the words it is called by. */
function namesIn(program: Command): readonly string[] {
  return program.commands.flatMap((one) => [
    one.name(),
    ...one.commands.map((inner) => `${one.name()} ${inner.name()}`),
  ])
}

/** A command in the list of commands, without the `[options]` that all of them take. */
function subcommandTerm(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name()
    return argument.required ? `<${name}>` : `[${name}]`
  })
  return [command.name(), ...words].join(' ')
}

function plain(context: CliContext): CliContext {
  return { ...context, colour: false }
}

function examples(lines: readonly string[]): string {
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  ${line}`).join('\n')}`
}
