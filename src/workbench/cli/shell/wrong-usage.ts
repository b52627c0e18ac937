import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { didYouMean, nearestNames } from '../../../entries/kit.ts'

/** Returns the error for a wrong command line: exit code 2. */
export function wrongUsage(message: string, hint: string): WorkspaceError {
  return new WorkspaceError('WRONG_USAGE', message, { hint })
}

/** 0 success; 1 the result is an error; 2 wrong usage. */
export type ExitCode = 0 | 1 | 2

/** Codes of errors in what was typed, as opposed to what was found. */
const WRONG_USAGE = new Set([
  'WRONG_USAGE',
  'PATH_NOT_FOUND',
  'PATH_NOT_A_FOLDER',
  'ENTRY_UNKNOWN',
  'MODE_UNKNOWN',
])

/** Returns the exit code of a command that ended with an error. */
export function errorExitCode(error: unknown): ExitCode {
  return WorkspaceError.is(error) && WRONG_USAGE.has(error.code) ? 2 : 1
}

/** Returns the choice that was typed. Throws wrong usage for any other word. */
export function parseChoice<Word extends string>(
  typed: string,
  choices: readonly Word[],
  what: string,
): Word {
  const chosen = choices.find((word) => word === typed)
  if (chosen !== undefined) return chosen
  const hint = didYouMean(nearestNames(typed, choices, 1), `Use one of: ${choices.join(', ')}.`)
  throw wrongUsage(`"${typed}" is not a valid ${what}.`, hint)
}

/**
 * Throws for a word that is neither a path on disk nor a command, with the nearest commands. An
 * unknown command is taken as a path of the default command, so a mistyped one arrives there.
 */
export async function refuseMistyped(
  word: string,
  commands: readonly string[],
  cwd: string,
  group?: string,
): Promise<void> {
  if (/[\\/.]/.test(word)) return
  if ((await stat(resolve(cwd, word)).catch(() => null)) !== null) return
  if (commands.includes(word)) {
    throw wrongUsage(
      `"${word}" is not a path.`,
      `To run the command, put it first: loadout ${group === undefined ? word : `${group} ${word}`}.`,
    )
  }
  throw unknownCommand(word, 'neither a command nor a path', commands, group)
}

/** Returns the error for an unknown command, with the nearest ones. */
export function unknownCommand(
  word: string,
  what: string,
  commands: readonly string[],
  group?: string,
): Error {
  const help = ['loadout help', ...(group === undefined ? [] : [group])].join(' ')
  const hint = didYouMean(nearestNames(word, commands), `See ${help}.`)
  return wrongUsage(`"${word}" is ${what}.`, hint)
}
