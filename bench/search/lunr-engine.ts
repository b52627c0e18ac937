import { createRequire } from 'node:module'
import { parts, plainFields, type PlainFields } from './plain-fields.ts'
import type { SearchEngine } from './search-engine.ts'

/** The part of lunr that is used; it has no types. */
interface Builder {
  ref(name: string): void
  field(name: string, options?: { readonly boost: number }): void
  add(row: PlainFields & { readonly id: number }): void
}
interface Lunr {
  (configure: (this: Builder) => void): {
    query(build: (query: { term(terms: unknown, options: object): void }) => void): readonly {
      readonly ref: string
    }[]
  }
  tokenizer(text: string): unknown
}

const lunr = createRequire(import.meta.url)('lunr') as Lunr

/** Its own stemmer and stop words; the query as plain words, not as its query language. */
export const lunrEngine: SearchEngine = {
  name: 'lunr',
  build(documents) {
    const index = lunr(function configure() {
      this.ref('id')
      this.field('name', { boost: 2 })
      for (const field of ['description', 'phrases', 'parameters', 'owner']) this.field(field)
      documents.forEach((document, id) => this.add({ id, ...plainFields(document) }))
    })
    return {
      search: (query, limit) =>
        index
          .query((one) => one.term(lunr.tokenizer(parts(query).toLowerCase()), {}))
          .slice(0, limit)
          .map(({ ref }) => documents[Number(ref)]?.name ?? ''),
    }
  },
}
