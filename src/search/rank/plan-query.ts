import type { Corpus } from './corpus.ts'
import { weightInRequest } from '../words/is-weak-term.ts'
import { relatedTerms } from '../words/related-terms.ts'
import { stemWord } from '../words/stem-word.ts'
import { type Word, wordsOf } from '../words/words-of.ts'

/** A word of a request, with everything it is looked up by. */
export interface QueryWord {
  /** As it was written, in lower case. */
  readonly text: string
  /** What finding the word itself is worth, were it the only one of its kind. */
  readonly worth: number
  /** Itself, words for the same, near ones when it is unknown; a document counts the best. */
  readonly terms: readonly WeightedTerm[]
  /** Some document has the word itself. */
  readonly isKnown: boolean
}

interface WeightedTerm {
  readonly term: string
  readonly weight: number
}

/** Characters of a request that are read, and different words of it that are looked up. */
const LONGEST_QUERY = 4_000

const MOST_WORDS = 100

/** What saying a word again adds, and how often that counts. */
const AGAIN = 0.4

const MOST_AGAIN = 2

/** Another word for the same, beside the word itself and in place of one that no document has. */
const RELATED = 0.3

const RELATED_ALONE = 0.6

const NEAR = 0.5

const PART = 0.8

const SHORTEST_PART = 3

/** What a request is looked up by: its words, neighbours written as one, and unknown words in parts. */
export function planQuery(query: string, corpus: Corpus): readonly QueryWord[] {
  const words = wordsOf(query.slice(0, LONGEST_QUERY))
  const said = new Map<string, { readonly word: Word; times: number }>()
  for (const word of words) {
    const known = said.get(word.term)
    if (known !== undefined) known.times += 1
    else if (said.size < MOST_WORDS) said.set(word.term, { word, times: 1 })
  }
  const single = Array.from(said.values(), ({ word, times }) => {
    const weight = weightInRequest(word.term) * (1 + AGAIN * Math.min(times - 1, MOST_AGAIN))
    return queryWord(word, weight, said, corpus)
  })
  return [...single, ...joinedWords(words, said, corpus)]
}

function queryWord(
  { text, term }: Word,
  weight: number,
  said: ReadonlyMap<string, unknown>,
  corpus: Corpus,
): QueryWord {
  const worth = weight * corpus.rarity(term)
  const isKnown = corpus.frequency(term) > 0
  const terms: WeightedTerm[] = isKnown
    ? [{ term, weight: worth }]
    : unknownTerms(text, term, corpus).map((one) => ({ ...one, weight: one.weight * weight }))
  const share = isKnown ? RELATED : RELATED_ALONE
  for (const other of relatedTerms(term)) {
    if (said.has(other) || corpus.frequency(other) === 0) continue
    // Another word that happens to be rare says no more than the one that was said.
    const rarity = Math.min(corpus.rarity(term), corpus.rarity(other))
    terms.push({ term: other, weight: weight * share * rarity })
  }
  return { text, worth, terms, isKnown }
}

/** A word that no document has: as two that are known, else as the terms that look like it. */
function unknownTerms(text: string, term: string, corpus: Corpus): readonly WeightedTerm[] {
  const parts = knownParts(text, corpus)
  if (parts.length > 0) {
    return parts.map((part) => ({ term: part, weight: PART * corpus.rarity(part) }))
  }
  return corpus
    .near(term)
    .map((one) => ({ term: one.term, weight: NEAR * one.likeness * corpus.rarity(one.term) }))
}

/** `wordcloud` where documents have `word` and `cloud`; the cut with the rarest parts. */
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

/** Neighbours that some document writes as one word: `air quality` and `airquality`. */
function joinedWords(
  words: readonly Word[],
  said: ReadonlyMap<string, unknown>,
  corpus: Corpus,
): readonly QueryWord[] {
  const joined = new Map<string, QueryWord>()
  words.slice(0, MOST_WORDS).forEach(({ text }, at) => {
    let whole = text
    for (const next of words.slice(at + 1, at + 3)) {
      whole += next.text
      const term = stemWord(whole)
      if (said.has(term) || joined.has(term) || corpus.frequency(term) === 0) continue
      const terms = [{ term, weight: corpus.rarity(term) }]
      joined.set(term, { text: whole, worth: 0, terms, isKnown: true })
    }
  })
  return [...joined.values()]
}
