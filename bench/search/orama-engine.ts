import { create, insert, insertMultiple, remove, search } from '@orama/orama'
import { parts, plainFields } from './plain-fields.ts'
import type { SearchEngine } from './search-engine.ts'
import { stem, STOP_WORDS } from './stop-words.ts'

/** Any of the words, stemmed, without stop words. */
export const oramaEngine: SearchEngine = {
  name: 'orama',
  async build(documents) {
    const index = create({
      schema: {
        id: 'string',
        name: 'string',
        description: 'string',
        phrases: 'string',
        parameters: 'string',
        owner: 'string',
      } as const,
      components: {
        tokenizer: { stemming: true, stemmer: stem, stopWords: [...STOP_WORDS] },
      },
    })
    const rows = documents.map((document) => ({ id: document.name, ...plainFields(document) }))
    await insertMultiple(index, rows, 1000)
    return {
      async search(query, limit) {
        const { hits } = await search(index, {
          term: parts(query),
          limit,
          threshold: 1,
          properties: ['name', 'description', 'phrases', 'parameters', 'owner'],
          boost: { name: 2, parameters: 0.5 },
        })
        return hits.map(({ id }) => id)
      },
      async addAndRemove(document) {
        const id = await insert(index, { id: document.name, ...plainFields(document) })
        await remove(index, id)
      },
    }
  },
}
