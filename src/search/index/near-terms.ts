import { distance } from 'fastest-levenshtein'
import type { Vocabulary } from './vocabulary.ts'
import { wordGrams } from './word-grams.ts'

/** A term of an index that looks like a word it does not know. */
export interface NearTerm {
  readonly term: string
  /** From 0 to 1. */
  readonly likeness: number
}

/** Part of the grams of both words that they must share. */
const LEAST_LIKENESS = 0.5
/** Fewer shared grams are no likeness, and most terms that share any share one. */
const LEAST_SHARED = 2

/**
 * The terms most like a word, best first: by the grams they share (`humidity`, `humidifier`),
 * or by being one slip of a finger away (`stok`, `stock`).
 */
export function nearTerms(word: string, vocabulary: Vocabulary): readonly NearTerm[] {
  const grams = wordGrams(word).length
  const near: NearTerm[] = []
  vocabulary.eachSharing(word, LEAST_SHARED, (term, shared) => {
    const dice = (2 * shared) / (grams + term.length)
    const likeness = isSlip(word, term) ? Math.max(dice, 1 - 1 / word.length) : dice
    if (likeness >= LEAST_LIKENESS) near.push({ term, likeness })
  })
  return near.sort(byLikeness)
}

export function byLikeness(a: NearTerm, b: NearTerm): number {
  return b.likeness - a.likeness || (a.term < b.term ? -1 : 1)
}

/** One letter left out, added or changed. */
function isSlip(word: string, term: string): boolean {
  return Math.abs(word.length - term.length) <= 1 && distance(word, term) === 1
}
