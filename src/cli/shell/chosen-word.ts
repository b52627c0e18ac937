import { didYouMean } from '../../kernel/did-you-mean.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { wrongUsage } from './wrong-usage.ts'

/** The word that was typed, as one of those that can be meant; wrong usage for any other. */
export function chosenWord<Word extends string>(
  typed: string,
  words: readonly Word[],
  what: string,
): Word {
  const chosen = words.find((word) => word === typed)
  if (chosen !== undefined) return chosen
  const hint = didYouMean(nearestNames(typed, words, 1), `Write ${words.join(', ')}.`)
  throw wrongUsage(`"${typed}" is no ${what}.`, hint)
}
