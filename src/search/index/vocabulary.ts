import { createGramTable } from './gram-table.ts'

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
