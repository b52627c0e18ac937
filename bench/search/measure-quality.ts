import { evaluate, type SearchResult } from 'loadout/search'
import { readSearchSet } from './read-search-set.ts'
import type { BuiltIndex, SearchEngine } from './search-engine.ts'

/** The results of an engine on one set. */
export interface QualityFigure {
  readonly engine: string
  readonly set: string
  readonly recall1: number
  readonly recall5: number
  readonly recall10: number
  readonly ndcg10: number
  readonly mrr: number
}

/** Sends the complete set to one engine. */
export async function measureQuality(engine: SearchEngine, set: string): Promise<QualityFigure> {
  const { documents, queries } = readSearchSet(set)
  const index = await engine.build(documents)
  const { recall1, recall5, recall10, ndcg10, mrr } = await evaluate(
    asSearch(index),
    queries,
    () => 0,
  )
  const short = (value: number) => Number(value.toFixed(4))
  return {
    engine: engine.name,
    set,
    recall1: short(recall1),
    recall5: short(recall5),
    recall10: short(recall10),
    ndcg10: short(ndcg10),
    mrr: short(mrr),
  }
}

/** Returns a peer in the form of the judge: without confidence and reasons. */
export function asSearch(index: BuiltIndex) {
  return {
    async search(query: string, options?: { readonly limit?: number }) {
      const names = await index.search(query, options?.limit ?? 5)
      const results = names.map((name): SearchResult => ({
        name,
        kind: 'tool',
        score: 1,
        matched: [],
      }))
      return { results, confidence: 1, route: 'lexical' as const }
    },
  }
}
