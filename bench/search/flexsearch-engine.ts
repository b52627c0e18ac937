import { Encoder, Index } from 'flexsearch'
import { parts, plainFields } from './plain-fields.ts'
import type { SearchEngine } from './search-engine.ts'
import { stem, STOP_WORDS } from './stop-words.ts'

/** One text for each document, the name first, since it ranks by the position of a word; any of the words. */
export const flexsearchEngine: SearchEngine = {
  name: 'flexsearch',
  build(documents) {
    const encoder = new Encoder({
      filter: (word: string) => !STOP_WORDS.has(word),
      finalize: (words: string[]) => words.map(stem),
    })
    const index = new Index({ tokenize: 'strict', encoder, resolution: 9 })
    const textOf = (document: (typeof documents)[number]) =>
      Object.values(plainFields(document)).join(' ')
    documents.forEach((document, id) => index.add(id, textOf(document)))
    return {
      search: (query, limit) =>
        (index.search(parts(query), { limit, suggest: true }) as readonly number[]).map(
          (id) => documents[id]?.name ?? '',
        ),
      addAndRemove(document) {
        index.add(documents.length, textOf(document))
        index.remove(documents.length)
      },
    }
  },
}
