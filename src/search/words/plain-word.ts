import { isStopWord } from './stop-words.ts'
import { stemWord } from './stem-word.ts'
import { isWeakTerm } from './weak-words.ts'
import type { Word } from './word.ts'

/** A word, in lower case, with its stem; null for one that carries no meaning. */
export function plainWord(text: string): Word | null {
  if (isStopWord(text)) return null
  const term = stemWord(text)
  return { text, term, isWeak: isWeakTerm(term) }
}
