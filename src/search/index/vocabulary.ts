import { distance } from 'fastest-levenshtein'
import { createBlockPool } from './create-block-pool.ts'

/** The terms of a segment by number. The number of a term that no document contains is reused. */
export interface Vocabulary {
  readonly size: number
  /** Returns the number of a term; undefined when no document contains it. */
  get(term: string): number | undefined
  /** Returns the number of a term, and assigns one to a new term. */
  take(term: string): number
  termOf(id: number): string
  drop(id: number): void
  /** Visits every term that shares at least so many grams with a word. */
  eachSharing(word: string, least: number, visit: (term: string, shared: number) => void): void
}

export function createVocabulary(): Vocabulary {
  const ids = new Map<string, number>()
  const terms: string[] = []
  const freed: number[] = []
  const grams = createGramTable()
  const termOf = (id: number): string => terms[id] ?? ''

  return {
    get size() {
      return ids.size
    },
    get: (term) => ids.get(term),
    take(term) {
      const known = ids.get(term)
      if (known !== undefined) return known
      const id = freed.pop() ?? terms.length
      ids.set(term, id)
      terms[id] = term
      grams.add(term, id)
      return id
    },
    termOf,
    drop(id) {
      const term = termOf(id)
      grams.remove(term, id)
      ids.delete(term)
      terms[id] = ''
      freed.push(id)
    },
    eachSharing(word, least, visit) {
      grams.eachSharing(word, least, (id, shared) => visit(termOf(id), shared))
    },
  }
}

/** A term of an index that is similar to an unknown word. */
export interface NearTerm {
  readonly term: string
  /** From 0 to 1. */
  readonly likeness: number
}

/** Part of their grams that two similar words must share. */
const LEAST_LIKENESS = 0.5

/** Most terms that share a gram share only one, so one is not enough. */
const LEAST_SHARED = 2

/**
 * Returns the terms that are similar to a word, best first: by shared grams (`humidity`,
 * `humidifier`), or by one typing mistake (`stok`, `stock`).
 */
export function nearTerms(word: string, vocabulary: Vocabulary): readonly NearTerm[] {
  const grams = wordGrams(word).length
  const near: NearTerm[] = []
  vocabulary.eachSharing(word, LEAST_SHARED, (term, shared) => {
    const dice = (2 * shared) / (grams + term.length)
    // One letter is missing, added or changed.
    const isTypo = Math.abs(word.length - term.length) <= 1 && distance(word, term) === 1
    const likeness = isTypo ? Math.max(dice, 1 - 1 / word.length) : dice
    if (likeness >= LEAST_LIKENESS) near.push({ term, likeness })
  })
  return near.sort(byLikeness)
}

export function byLikeness(a: NearTerm, b: NearTerm): number {
  return b.likeness - a.likeness || (a.term < b.term ? -1 : 1)
}

/** Finds terms by their runs of three characters. */
interface GramTable {
  add(term: string, id: number): void
  remove(term: string, id: number): void
  /** Visits the number of every term that shares at least so many runs with a word. */
  eachSharing(word: string, least: number, visit: (id: number, shared: number) => void): void
}

export function createGramTable(): GramTable {
  /** The number of the list of each run; `freed` are the numbers of empty lists. */
  const lists = new Map<number, number>()
  const freed: number[] = []
  const terms = createBlockPool()
  let made = 0
  let mostTerms = 0

  const makeList = (gram: number): number => {
    const list = freed.pop() ?? made
    if (list === made) made += 1
    lists.set(gram, list)
    return list
  }

  return {
    add(term, id) {
      mostTerms = Math.max(mostTerms, id + 1)
      for (const gram of wordGrams(term)) {
        const list = lists.get(gram) ?? makeList(gram)
        const length = terms.length(list)
        // A run that occurs twice in the term counts once.
        if (length === 0 || terms.data[terms.start(list) + length - 1] !== id) terms.push(list, id)
      }
    },
    remove(term, id) {
      for (const gram of new Set(wordGrams(term))) {
        const list = lists.get(gram)
        if (list === undefined) continue
        const start = terms.start(list)
        terms.removeAt(list, terms.data.indexOf(id, start) - start)
        if (terms.length(list) > 0) continue
        terms.clear(list)
        lists.delete(gram)
        freed.push(list)
      }
    },
    eachSharing(word, least, visit) {
      const shared = new Uint8Array(mostTerms)
      const touched: number[] = []
      for (const gram of new Set(wordGrams(word))) {
        const list = lists.get(gram)
        if (list === undefined) continue
        const start = terms.start(list)
        for (const id of terms.data.subarray(start, start + terms.length(list))) {
          const count = (shared[id] ?? 0) + 1
          shared[id] = count
          if (count === least) touched.push(id)
        }
      }
      for (const id of touched) visit(id, shared[id] ?? 0)
    },
  }
}

/** Shorter terms have too few grams to distinguish them. */
const SHORTEST = 4

const LONGEST = 32

const MARK = 1

const CODES = 2 ** 16

/**
 * Returns the runs of three characters of a term, each as one number. The ends are marked, so there
 * are as many runs as characters; a short term has none.
 */
export function wordGrams(term: string): readonly number[] {
  if (term.length < SHORTEST || term.length > LONGEST) return []
  const grams: number[] = []
  let before = MARK
  let here = term.charCodeAt(0)
  for (let at = 1; at <= term.length; at += 1) {
    const next = at === term.length ? MARK : term.charCodeAt(at)
    grams.push(gramOf(before, here, next))
    before = here
    here = next
  }
  return grams
}

/** Returns three codes as one number. For ASCII it is a small integer, which makes maps fast. */
function gramOf(before: number, here: number, next: number): number {
  const isSmall = (before | here | next) < 128
  return isSmall ? (before << 14) | (here << 7) | next : (before * CODES + here) * CODES + next
}
