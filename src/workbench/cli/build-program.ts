import { Argument, Command } from 'commander'
import { acceptCommand, activateCommand } from './commands/activate-command.ts'
import { addCommand } from './commands/add-command.ts'
import { attachCommand } from './commands/attach-command.ts'
import { approveCommand, denyCommand } from './commands/approve-command.ts'
import { buildCommand } from './commands/build/build-command.ts'
import { callCommand } from './commands/call-command.ts'
import { diffCommand } from './commands/diff/diff-command.ts'
import { doctorCommand } from './commands/doctor-command.ts'
import { evalCommand } from './commands/eval-command.ts'
import { exportCommand } from './commands/export-command.ts'
import { importCommand } from './commands/import-command.ts'
import { initCommand } from './commands/init-command.ts'
import { lintCommand } from './commands/lint-command.ts'
import { listCommand } from './commands/list-command.ts'
import { lockCommand } from './commands/lock-command.ts'
import { mcpGroup } from './commands/mcp/mcp-group.ts'
import { demoCommand, playCommand } from './commands/play-command.ts'
import { priceCommand } from './commands/price-command.ts'
import { promptCommand } from './commands/prompt-command.ts'
import { replayCommand } from './commands/replay-command.ts'
import { reportCommand } from './commands/report/report-command.ts'
import { runCommand } from './commands/run-command.ts'
import { searchCommand } from './commands/search-command.ts'
import { sessionsGroup } from './commands/sessions/sessions-group.ts'
import { showCommand } from './commands/show-command.ts'
import { skillsCommand } from './commands/skills-command.ts'
import { testCommand } from './commands/scenarios/test-command.ts'
import { toolsCommand } from './commands/tools-command.ts'
import { trustCommand } from './commands/trust-command.ts'
import { updateCommand } from './commands/update-command.ts'
import { watchCommand } from './commands/watch-command.ts'
import { whyCommand } from './commands/why-command.ts'
import type { CliCommand, CliGroup } from './shell/cli-command.ts'
import type { CliContext } from './shell/cli-context.ts'
import { COMPLETION_SHELLS, completionScript } from './shell/completion-script.ts'
import { jsonText } from '../report/writers/json-text.ts'
import { jsonOption } from './shell/opening-options.ts'
import { type ExitCode, refuseMistyped, unknownCommand } from './shell/wrong-usage.ts'
import { packageVersion } from '../project/manifest/package-version.ts'

/** All commands, under the headings and in the order of the help. */
const COMMANDS: Readonly<Record<string, readonly (CliCommand<never> | CliGroup)[]>> = {
  'Inspect tools, skills and prompts:': [
    playCommand,
    demoCommand,
    promptCommand,
    priceCommand,
    toolsCommand,
    skillsCommand,
    listCommand,
    showCommand,
    searchCommand,
    whyCommand,
    doctorCommand,
  ],
  'Work with sessions:': [
    runCommand,
    activateCommand,
    acceptCommand,
    callCommand,
    attachCommand,
    watchCommand,
    approveCommand,
    denyCommand,
    replayCommand,
    reportCommand,
    sessionsGroup,
    mcpGroup,
  ],
  'Author, check and release:': [
    initCommand,
    lintCommand,
    testCommand,
    evalCommand,
    buildCommand,
    lockCommand,
    diffCommand,
    addCommand,
    updateCommand,
    importCommand,
    exportCommand,
    trustCommand,
  ],
}

/** Runs when no command is given. */
const DEFAULT_COMMAND: CliCommand<never> = playCommand

const HELP_GROUP = 'Help:'

/**
 * Builds the command line parser. Parsing throws commander's errors, and runs the command that was
 * given; `done` receives its exit code.
 */
export function buildProgram(context: CliContext, done: (code: ExitCode) => void): Command {
  const program = new Command('loadout')
    .description("Decides which tools an agent's model can see and call, and explains why.")
    .version(packageVersion(), '-v, --version', 'Show the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      // `main` reports errors, in the same form as all others.
      writeErr: () => {},
      getOutHelpWidth: () => context.columns,
      getOutHasColors: () => context.colour,
    })
  const names = [
    ...Object.values(COMMANDS).flatMap((all) => all.map(({ name }) => name)),
    'completion',
    'help',
  ]
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    for (const one of commands) {
      const siblings = one === DEFAULT_COMMAND ? names : null
      const added =
        'commands' in one
          ? registerGroup(program, one, context, done)
          : registerCommand(program, one, { siblings }, context, done)
      added.helpGroup(heading)
    }
  }
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(COMPLETION_SHELLS))
    .addOption(jsonOption())
    .option('--no-color', 'Print without colours (same as NO_COLOR=1)')
    .helpGroup(HELP_GROUP)
    .summary('Print a script that completes commands and options')
    .description(
      'Print a script for bash, zsh or fish that completes commands, options, their choices and names of files. ' +
        'For bash or zsh, add this line to ~/.bashrc or ~/.zshrc: eval "$(loadout completion bash)", or with ' +
        'zsh. For fish, save the output as ~/.config/fish/completions/loadout.fish.',
    )
    .addHelpText('after', examples(COMPLETION_EXAMPLES))
    .action((shell: (typeof COMPLETION_SHELLS)[number], { json }: { readonly json?: true }) => {
      const script = completionScript(program, shell)
      context.stdout.write(json === true ? jsonText({ shell, script }) : script)
      done(0)
    })
  program
    .command('help [command...]')
    .helpGroup(HELP_GROUP)
    .summary('Show help for a command')
    .action((words: readonly string[]) => {
      const about = words.reduce((within: Command, name) => {
        const found = within.commands.find((one) => one.name() === name)
        if (found !== undefined) return found
        throw unknownCommand(words.join(' '), 'not a command', namesIn(program))
      }, program)
      about.outputHelp()
      done(0)
    })
  return program.addHelpText('after', `${examples(PROGRAM_EXAMPLES)}\n\n${MORE_HELP}`)
}

const PROGRAM_EXAMPLES = [
  'loadout examples/workbench --agent assistant',
  'loadout why query_table examples/workbench',
]

const COMPLETION_EXAMPLES = ['loadout completion bash', 'loadout completion fish']

const MORE_HELP = `Paths are folders with skills, Carnet projects or manifests. Without paths,
commands read the default folders, such as ./skills and .claude/skills.

Run "loadout help <command>" to see the options of a command.`

function registerGroup(
  program: Command,
  { name, summary, commands }: CliGroup,
  context: CliContext,
  done: (code: ExitCode) => void,
): Command {
  const group = program.command(name).summary(summary).description(`${summary}.`).helpCommand(false)
  const names = commands.map((one) => one.name)
  commands.forEach((command, at) => {
    registerCommand(
      group,
      command,
      { siblings: at === 0 ? names : null, group: name },
      context,
      done,
    )
  })
  const byDefault = `Without a command, "loadout ${name}" means "loadout ${name} ${names[0]}".`
  const more = `Run "loadout help ${name} <command>" to see the options of a command.`
  return group.addHelpText('after', `\n${byDefault}\n${more}`)
}

/** `siblings` are given for a default command: the names that a mistyped word is compared with. */
function registerCommand(
  parent: Command,
  command: CliCommand<never>,
  { siblings, group }: { readonly siblings: readonly string[] | null; readonly group?: string },
  context: CliContext,
  done: (code: ExitCode) => void,
): Command {
  const added = parent
    .command(`${command.name} ${command.arguments}`, { isDefault: siblings !== null })
    .summary(command.summary)
    .description(command.description)
    .addHelpText('after', examples(command.examples))
  for (const option of command.options()) added.addOption(option)
  added.option('--no-color', 'Print without colours (same as NO_COLOR=1)')
  return added.action(async () => {
    const words = added.args
    for (const word of siblings === null ? [] : words) {
      await refuseMistyped(word, siblings ?? [], context.cwd, group)
    }
    const { color } = added.opts<{ color: boolean }>()
    const request = { words, options: added.opts<never>(), context }
    const plain = { ...request, context: { ...context, colour: false } }
    done(await command.run(color ? request : plain))
  })
}

/** Options without a value that may come before a command. */
const FLAGS: ReadonlySet<string> = new Set(['--help', '-h', '--no-color'])

/**
 * Throws for a request for help with an unknown command, which commander would answer with the general help.
 */
export async function refuseUnknownHelp(
  program: Command,
  argv: readonly string[],
  cwd: string,
): Promise<void> {
  if (!argv.some((word) => word === '--help' || word === '-h')) return
  let within = program
  for (const word of argv.filter((one) => !FLAGS.has(one))) {
    if (word.startsWith('-') || within.commands.length === 0) return
    const found = within.commands.find((one) => one.name() === word)
    const names = within.commands.map((one) => one.name())
    const group = within === program ? undefined : within.name()
    if (found === undefined) return refuseMistyped(word, names, cwd, group)
    within = found
  }
}

/** Returns the full name of each command: `list`, `sessions list`. */
function namesIn(program: Command): readonly string[] {
  return program.commands.flatMap((one) => [
    one.name(),
    ...one.commands.map((inner) => `${one.name()} ${inner.name()}`),
  ])
}

function examples(lines: readonly string[]): string {
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  ${line}`).join('\n')}`
}
