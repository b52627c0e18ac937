import { CommanderError } from 'commander'
import { buildProgram, refuseUnknownHelp } from './build-program.ts'
import { mcpGroup } from './commands/mcp/mcp-group.ts'
import { sessionsGroup } from './commands/sessions/sessions-group.ts'
import type { CliContext, ProcessContext } from './shell/cli-context.ts'
import { processContext } from './shell/process-context.ts'
import { reportError } from './shell/report-error.ts'
import { type ExitCode, errorExitCode, wrongUsage } from './shell/wrong-usage.ts'

/**
 * Runs one command line (without the program's name) and resolves with its exit code. Never
 * rejects; errors are reported on stderr.
 */
export async function main(argv: readonly string[], given?: ProcessContext): Promise<ExitCode> {
  // Works even when the command line cannot be parsed.
  const end = argv.indexOf('--')
  const json = (end < 0 ? argv : argv.slice(0, end)).includes('--json')
  let context: ProcessContext
  try {
    const { withoutKnownSecrets } = await import('./shell/known-secrets.ts')
    const own = given ?? processContext(json)
    // The same object, which reports the errors that nobody catches.
    context = Object.assign(own, withoutKnownSecrets(own))
  } catch (error) {
    reportError(error, json, process)
    return errorExitCode(error)
  }
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
    await refuseUnknownHelp(program, argv, context.cwd)
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    // Commander ends help and version with an error, too, whose exit code is 0.
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const reported = error instanceof CommanderError ? usageError(error, argv) : error
    reportError(reported, json, context)
    return errorExitCode(reported)
  }
}

/** Turns a message of commander, `error: …` and perhaps `(Did you mean …?)`, into our form. */
function usageError({ message }: CommanderError, argv: readonly string[]): Error {
  const [first = '', suggestion = ''] = message.replace(/^error: /, '').split('\n')
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`
  const help = ['loadout help', ...commandWords(argv)].join(' ')
  const hint = suggestion.replace(/^\((.*)\)$/, '$1')
  return wrongUsage(
    /[.!?]$/.test(sentence) ? sentence : `${sentence}.`,
    [hint, `See ${help}.`].filter((one) => one !== '').join(' '),
  )
}

/** Words before other commands. */
const GROUPS: ReadonlySet<string> = new Set([sessionsGroup.name, mcpGroup.name])

/** Returns the leading words that look like the name of a command. */
function commandWords([first = '', second = '']: readonly string[]): readonly string[] {
  const looksLike = (word: string) => /^[a-z]+$/.test(word)
  if (!looksLike(first)) return []
  return GROUPS.has(first) && looksLike(second) ? [first, second] : [first]
}
