import type { Corpus } from './corpus.ts'
import { weightInQuery } from '../words/is-weak-term.ts'
import { relatedTerms } from '../words/related-terms.ts'
import { stemWord } from '../words/stem-word.ts'
import { type Word, wordsOf } from '../words/words-of.ts'

/** A word of a query with all terms of its lookup. */
export interface QueryWord {
  /** The word as written, in lower case. */
  readonly text: string
  /** The weight of the word itself, without its other terms. */
  readonly worth: number
  /** Its own term, related terms, and similar ones if it is unknown. The best in a document counts. */
  readonly terms: readonly WeightedTerm[]
  /** True when a document contains the word itself. */
  readonly isKnown: boolean
}

interface WeightedTerm {
  readonly term: string
  readonly weight: number
}

/** Characters of a query that are read, and different words that are looked up. */
const LONGEST_QUERY = 4_000

const MOST_WORDS = 100

/** Added weight of a repeated word, and the number of repetitions that count. */
const AGAIN = 0.4

const MOST_AGAIN = 2

/** Weight of a related term: in addition to a known word, and instead of an unknown one. */
const RELATED = 0.3

const RELATED_ALONE = 0.6

const NEAR = 0.5

const PART = 0.8

const SHORTEST_PART = 3

/** Plans the lookup of a query: its words, pairs of words written as one, and parts of unknown words. */
export function planQuery(query: string, corpus: Corpus): readonly QueryWord[] {
  const words = wordsOf(query.slice(0, LONGEST_QUERY))
  const queried = new Map<string, { readonly word: Word; times: number }>()
  for (const word of words) {
    const known = queried.get(word.term)
    if (known !== undefined) known.times += 1
    else if (queried.size < MOST_WORDS) queried.set(word.term, { word, times: 1 })
  }
  const single = Array.from(queried.values(), ({ word, times }) => {
    const weight = weightInQuery(word.term) * (1 + AGAIN * Math.min(times - 1, MOST_AGAIN))
    return queryWord(word, weight, queried, corpus)
  })
  return [...single, ...joinedWords(words, queried, corpus)]
}

function queryWord(
  { text, term }: Word,
  weight: number,
  queried: ReadonlyMap<string, unknown>,
  corpus: Corpus,
): QueryWord {
  const worth = weight * corpus.rarity(term)
  const isKnown = corpus.frequency(term) > 0
  const terms: WeightedTerm[] = isKnown
    ? [{ term, weight: worth }]
    : unknownTerms(text, term, corpus).map((one) => ({ ...one, weight: one.weight * weight }))
  const share = isKnown ? RELATED : RELATED_ALONE
  for (const other of relatedTerms(term)) {
    if (queried.has(other) || corpus.frequency(other) === 0) continue
    // A related term that happens to be rare must not weigh more than the word itself.
    const rarity = Math.min(corpus.rarity(term), corpus.rarity(other))
    terms.push({ term: other, weight: weight * share * rarity })
  }
  return { text, worth, terms, isKnown }
}

/** Returns the terms for an unknown word: two known parts of it, else similar terms. */
function unknownTerms(text: string, term: string, corpus: Corpus): readonly WeightedTerm[] {
  const parts = knownParts(text, corpus)
  if (parts.length > 0) {
    return parts.map((part) => ({ term: part, weight: PART * corpus.rarity(part) }))
  }
  return corpus
    .near(term)
    .map((one) => ({ term: one.term, weight: NEAR * one.likeness * corpus.rarity(one.term) }))
}

/** Splits `wordcloud` into `word` and `cloud` if documents contain both; the rarest parts win. */
function knownParts(text: string, corpus: Corpus): readonly string[] {
  let best: readonly string[] = []
  let bestRarity = 0
  for (let at = SHORTEST_PART; at + SHORTEST_PART <= Math.min(text.length, 32); at += 1) {
    const parts = [stemWord(text.slice(0, at)), stemWord(text.slice(at))]
    if (parts.some((part) => corpus.frequency(part) === 0)) continue
    const rarity = Math.min(...parts.map(corpus.rarity))
    if (rarity > bestRarity) {
      best = parts
      bestRarity = rarity
    }
  }
  return best
}

/** Joins adjacent words that a document writes as one: `air quality` and `airquality`. */
function joinedWords(
  words: readonly Word[],
  queried: ReadonlyMap<string, unknown>,
  corpus: Corpus,
): readonly QueryWord[] {
  const joined = new Map<string, QueryWord>()
  words.slice(0, MOST_WORDS).forEach(({ text }, at) => {
    let whole = text
    for (const next of words.slice(at + 1, at + 3)) {
      whole += next.text
      const term = stemWord(whole)
      if (queried.has(term) || joined.has(term) || corpus.frequency(term) === 0) continue
      const terms = [{ term, weight: corpus.rarity(term) }]
      joined.set(term, { text: whole, worth: 0, terms, isKnown: true })
    }
  })
  return [...joined.values()]
}
