import { distance } from 'fastest-levenshtein'
import { wordGrams } from './word-grams.ts'

/** A term of an index that looks like a word it does not know. */
export interface NearTerm {
  readonly term: string
  /** From 0 to 1. */
  readonly likeness: number
}

/** Part of the grams of both words that they must share. */
const LEAST_LIKENESS = 0.5
const MOST = 5

/** One letter left out, added or changed in a word of so many letters is a slip. */
const SLIP_LENGTH = 4

/**
 * The terms most like a word, best first: by the grams they share (`humidity`, `humidifier`),
 * or by being one slip of a finger away (`stok`, `stock`).
 *
 * @param candidates terms that share a gram with the word
 */
export function nearTerms(word: string, candidates: Iterable<string>): readonly NearTerm[] {
  const grams = wordGrams(word)
  const near: NearTerm[] = []
  for (const term of candidates) {
    const likeness = likenessOf(word, grams, term)
    if (likeness >= LEAST_LIKENESS) near.push({ term, likeness })
  }
  return near.sort(byLikeness).slice(0, MOST)
}

export function byLikeness(a: NearTerm, b: NearTerm): number {
  return b.likeness - a.likeness || (a.term < b.term ? -1 : 1)
}

function likenessOf(word: string, grams: ReadonlySet<string>, term: string): number {
  const others = wordGrams(term)
  let shared = 0
  for (const gram of others) if (grams.has(gram)) shared += 1
  const dice = (2 * shared) / (grams.size + others.size)
  const isNear = Math.abs(word.length - term.length) <= 1 && word.length >= SLIP_LENGTH
  return isNear && distance(word, term) === 1 ? Math.max(dice, 1 - 1 / word.length) : dice
}
