import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'

/** The error of a command line that cannot be meant: exit code 2. */
export function wrongUsage(message: string, hint: string): WorkspaceError {
  return new WorkspaceError('WRONG_USAGE', message, { hint })
}

/** 0 done; 1 the answer is an error; 2 wrong usage. */
export type ExitCode = 0 | 1 | 2

/** Codes of errors that are in what was typed, not in what was found. */
const WRONG_USAGE = new Set(['WRONG_USAGE', 'PATH_NOT_FOUND', 'PATH_NOT_A_FOLDER', 'ENTRY_UNKNOWN'])

/** The exit code of a command that ended with an error. */
export function exitCodeOf(error: unknown): ExitCode {
  return WorkspaceError.is(error) && WRONG_USAGE.has(error.code) ? 2 : 1
}

/** The word that was typed, as one of those that can be meant; wrong usage for any other. */
export function parseChoice<Word extends string>(
  typed: string,
  words: readonly Word[],
  what: string,
): Word {
  const chosen = words.find((word) => word === typed)
  if (chosen !== undefined) return chosen
  const hint = didYouMean(nearestNames(typed, words, 1), `Write ${words.join(', ')}.`)
  throw wrongUsage(`"${typed}" is no ${what}.`, hint)
}

/**
 * Whatever is no command is taken for a path of the default command, so a mistyped command
 * arrives there: throw what was perhaps meant when a word is not there on disk either.
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
      `There is nothing at "${word}".`,
      `A command stands first: loadout ${group === undefined ? word : `${group} ${word}`}.`,
    )
  }
  throw unknownCommand(word, 'neither a command nor a path', commands, group)
}

/** The error for a word that is no command, with the commands that are nearest. */
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
