import { createBlockPool } from './block-pool.ts'
import { wordGrams } from './word-grams.ts'

/** Which terms have a run of three characters. */
export interface GramTable {
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
