import { distance } from 'fastest-levenshtein'
import { createBlockPool } from './create-block-pool.ts'

/** The terms of a segment by number. A term that no document has any more gives its number back. */
export interface Vocabulary {
  readonly size: number
  /** The number of a term; undefined when no document has it. */
  get(term: string): number | undefined
  /** The number of a term, given to it now when it is new. */
  take(term: string): number
  termOf(id: number): string
  drop(id: number): void
  /** Call back with every term that has at least so many of the grams of a word. */
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

/** Which terms have a run of three characters. */
interface GramTable {
  add(term: string, id: number): void
  remove(term: string, id: number): void
  /** Call back with the number of every term that shares at least so many runs with a word. */
  eachSharing(word: string, least: number, visit: (id: number, shared: number) => void): void
}

export function createGramTable(): GramTable {
  /** The list of each run, by number, and the numbers of lists that are empty. */
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
        // A run that the term has twice counts once.
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

/** Terms shorter than this have too few grams to be told apart by them. */
const SHORTEST = 4

const LONGEST = 32

const MARK = 1

const CODES = 2 ** 16

/**
 * The runs of three characters of a term, its ends marked, each as one number: as many as it has
 * characters; none for a short one.
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

/** Three codes as one number. Those of ASCII fit into a small integer, which is what a map is fast with. */
function gramOf(before: number, here: number, next: number): number {
  const isSmall = (before | here | next) < 128
  return isSmall ? (before << 14) | (here << 7) | next : (before * CODES + here) * CODES + next
}
