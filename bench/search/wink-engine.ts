import { createRequire } from 'node:module'
import { parts, plainFields } from './plain-fields.ts'
import type { SearchEngine } from './search-engine.ts'

/** The part of wink that is used; it has no types. */
interface Wink {
  defineConfig(config: unknown): void
  definePrepTasks(tasks: readonly unknown[]): void
  addDoc(fields: Readonly<Record<string, string>>, id: number): void
  consolidate(): void
  search(query: string, limit: number): readonly (readonly [id: number, score: number])[]
}

const require = createRequire(import.meta.url)
const wink = require('wink-bm25-text-search') as () => Wink
const { string, tokens } = require('wink-nlp-utils') as {
  readonly string: Readonly<Record<'lowerCase' | 'tokenize0', unknown>>
  readonly tokens: Readonly<Record<'removeWords' | 'stem', unknown>>
}

/** BM25 over weighted fields, stemmed, without stop words, as its manual shows. */
export const winkEngine: SearchEngine = {
  name: 'wink-bm25-text-search',
  build(documents) {
    const index = wink()
    index.defineConfig({
      fldWeights: { name: 2, description: 1, phrases: 1, parameters: 0.5, owner: 1 },
    })
    index.definePrepTasks([string.lowerCase, string.tokenize0, tokens.removeWords, tokens.stem])
    documents.forEach((document, id) => {
      const fields = Object.entries(plainFields(document))
      // wink accepts no empty text.
      index.addDoc(Object.fromEntries(fields.map(([key, text]) => [key, text.trim() || '-'])), id)
    })
    index.consolidate()
    return {
      search: (query, limit) =>
        index.search(parts(query), limit).map(([id]) => documents[id]?.name ?? ''),
    }
  },
}
