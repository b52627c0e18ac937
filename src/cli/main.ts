import { CommanderError } from 'commander'
import { buildProgram } from './build-program.ts'
import { sessionsGroup } from './commands/sessions-group.ts'
import type { CliContext, ProcessContext } from './shell/cli-context.ts'
import { processContext } from './shell/process-context.ts'
import { reportError } from './shell/report-error.ts'
import { type ExitCode, exitCodeOf, wrongUsage } from './shell/wrong-usage.ts'

/**
 * Run one command line, without the program's name, and resolve with its exit code. Never
 * rejects; errors are told on stderr.
 */
export async function main(argv: readonly string[], given?: ProcessContext): Promise<ExitCode> {
  const json = asksForJson(argv)
  const context = given ?? processContext(json)
  const ends: (() => Promise<void>)[] = []
  const code = await run(argv, json, { ...context, onEnd: (work) => ends.unshift(work) })
  try {
    for (const end of ends) await end()
    await context.finish()
    return code
  } catch (error) {
    reportError(error, json, context)
    return 1
  }
}

async function run(argv: readonly string[], json: boolean, context: CliContext): Promise<ExitCode> {
  let code: ExitCode = 0
  try {
    const program = buildProgram(context, (ended) => {
      code = ended
    })
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    // Help and version end by an error, too, with exit code 0.
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const told = error instanceof CommanderError ? usageError(error, argv) : error
    reportError(told, json, context)
    return exitCodeOf(told)
  }
}

/** Known even where the command line cannot be understood. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json')
}

/** What commander says, as `error: …` and perhaps `(Did you mean …?)`, in our form. */
function usageError({ message }: CommanderError, argv: readonly string[]): Error {
  const [said = '', meant = ''] = message.replace(/^error: /, '').split('\n')
  const sentence = `${said.charAt(0).toUpperCase()}${said.slice(1)}`
  const words = commandWords(argv)
  const where = ['loadout', 'help', ...words].join(' ')
  const hint = meant.replace(/^\((.*)\)$/, '$1')
  return wrongUsage(
    /[.!?]$/.test(sentence) ? sentence : `${sentence}.`,
    [hint, `See ${where}.`].filter((one) => one !== '').join(' '),
  )
}

/** The words that name a command, as far as they look like it. */
function commandWords([first = '', second = '']: readonly string[]): readonly string[] {
  const looksLike = (word: string) => /^[a-z]+$/.test(word)
  if (!looksLike(first)) return []
  return first === sessionsGroup.name && looksLike(second) ? [first, second] : [first]
}
