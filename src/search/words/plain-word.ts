import { isStopWord } from './stop-words.ts'
import { stemWord } from './stem-word.ts'
import { isWeakTerm } from './weak-words.ts'
import type { Word } from './word.ts'

/** Different words that are kept; the texts of one catalog have far fewer. */
const KEPT = 50_000
const LONGEST_KEPT = 64

const known = new Map<string, Word | null>()

/** A word, in lower case, with its stem; null for one that carries no meaning. */
export function plainWord(text: string): Word | null {
  const kept = known.get(text)
  if (kept !== undefined) return kept
  const word = isStopWord(text) ? null : wordOf(text)
  if (text.length > LONGEST_KEPT) return word
  if (known.size >= KEPT) known.clear()
  known.set(text, word)
  return word
}

function wordOf(text: string): Word {
  const term = stemWord(text)
  return { text, term, isWeak: isWeakTerm(term) }
}
