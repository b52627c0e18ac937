import type { Command } from 'commander'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { buildProgram } from '../../../src/workbench/cli/build-program.ts'
import type { CliContext } from '../../../src/workbench/cli/shell/cli-context.ts'
import { temporaryFolder } from '../project/temporary-folder.ts'
import { runCommand } from './run-command.ts'

const CONTEXT: CliContext = {
  stdout: { write: () => true },
  stderr: { write: () => true },
  stdin: Readable.from([]),
  env: {},
  cwd: '/',
  home: null,
  isTerminal: false,
  columns: 80,
  colour: false,
  onInterrupt: () => () => {},
  onEnd: () => {},
  finish: async () => {},
}

const HEAD = `# Commands

Every command has \`--json\` (one JSON value on standard output; errors are one JSON object on standard
error), \`--help\` and \`--no-color\`, and works without a terminal. Exit codes: 0 success, 1 the result is
an error, 2 wrong usage. On a terminal, long work shows its progress in one line. No code of an untrusted
folder is run (\`loadout trust\`, or \`--trust\` for one command).

This page is generated from the program: \`npx vitest run tests/workbench/cli/commands-page.test.ts -u\`.
`

/** The page with the help of every command. */
async function commandsPage(commands: readonly Command[], cwd: string): Promise<string> {
  const rows = commands.map(
    (one) => `| [\`${nameOf(one)}\`](#${nameOf(one).replace(' ', '-')}) | ${one.summary()} |`,
  )
  const sections = []
  for (const command of commands) {
    const { stdout } = await runCommand(['help', ...nameOf(command).split(' ')], { cwd })
    const examples = stdout.split('\n').filter((line) => line.startsWith('  loadout '))
    const options = command.options.filter(({ long }) => long !== '--no-color')
    sections.push(
      [
        `## ${nameOf(command)}`,
        command.description(),
        `\`\`\`sh\n${examples.map((line) => line.trim()).join('\n')}\n\`\`\``,
        [
          '| | |',
          '| --- | --- |',
          ...argumentsOf(command),
          ...options.map(
            ({ flags, description }) => `| \`${flags.replaceAll('|', '\\|')}\` | ${description} |`,
          ),
        ].join('\n'),
      ].join('\n\n'),
    )
  }
  return `${HEAD}\n| command | what it does |\n| --- | --- |\n${rows.join('\n')}\n\n${sections.join('\n\n')}\n`
}

/** The full name, such as `sessions list`. */
function nameOf(command: Command): string {
  const group = command.parent?.parent ? `${command.parent.name()} ` : ''
  return `${group}${command.name()}`
}

function argumentsOf(command: Command): readonly string[] {
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  })
  return words.length === 0 ? [] : [`| \`${words.join(' ')}\` | arguments |`]
}

test('docs/commands.md matches the help', async () => {
  const { commands } = buildProgram(CONTEXT, () => {})
  const described = commands
    .filter((command) => command.name() !== 'help')
    .flatMap((command) => (command.commands.length === 0 ? [command] : command.commands))
  expect(described.length).toBeGreaterThan(12)
  const page = await commandsPage(described, await temporaryFolder())
  const { format } = await import('prettier')
  const written = await format(page, { parser: 'markdown', printWidth: 100 })
  await expect(written).toMatchFileSnapshot(join(import.meta.dirname, '../../../docs/commands.md'))
})
