import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { didYouMean } from '../../kernel/did-you-mean.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { wrongUsage } from './wrong-usage.ts'

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
