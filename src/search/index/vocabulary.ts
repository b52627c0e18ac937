import { wordGrams } from './word-grams.ts'

/** The terms of a segment by number. A term that no document has any more gives its number back. */
export interface Vocabulary {
  readonly size: number
  /** The number of a term; undefined when no document has it. */
  get(term: string): number | undefined
  /** The number of a term, given to it now when it is new. */
  take(term: string): number
  termOf(id: number): string
  drop(id: number): void
  /** Call back with every term that has at least so many of the grams. */
  eachSharing(
    grams: readonly string[],
    least: number,
    visit: (term: string, shared: number) => void,
  ): void
}

export function createVocabulary(): Vocabulary {
  const ids = new Map<string, number>()
  const terms: string[] = []
  const freed: number[] = []
  const byGram = new Map<string, number[]>()

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
      for (const gram of new Set(wordGrams(term))) {
        const list = byGram.get(gram)
        if (list === undefined) byGram.set(gram, [id])
        else list.push(id)
      }
      return id
    },
    termOf: (id) => terms[id] ?? '',
    drop(id) {
      const term = terms[id] ?? ''
      for (const gram of new Set(wordGrams(term))) {
        const list = byGram.get(gram) ?? []
        list.splice(list.indexOf(id), 1)
        if (list.length === 0) byGram.delete(gram)
      }
      ids.delete(term)
      terms[id] = ''
      freed.push(id)
    },
    eachSharing(grams, least, visit) {
      const shared = new Uint8Array(terms.length)
      const touched: number[] = []
      for (const gram of new Set(grams)) {
        for (const id of byGram.get(gram) ?? []) {
          const count = (shared[id] ?? 0) + 1
          shared[id] = count
          if (count === least) touched.push(id)
        }
      }
      for (const id of touched) visit(terms[id] ?? '', shared[id] ?? 0)
    },
  }
}
