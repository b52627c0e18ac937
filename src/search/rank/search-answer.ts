import type { SearchField } from '../index/search-fields.ts'
import type { DocumentKind } from '../index/tool-document.ts'

/**
 * Why a document is in an answer: a field, and the words of the query that are in it: themselves or
 * in another form, and in their place a word for the same, one that looks like them, or their parts.
 */
export interface SearchMatch {
  readonly field: SearchField
  readonly terms: readonly string[]
}

export interface SearchResult {
  readonly name: string
  readonly kind: 'tool' | 'skill'
  /** Above 0, and comparable within one answer only. */
  readonly score: number
  /** Empty when only vectors found it, or a phrase of words too common to be looked up. */
  readonly matched: readonly SearchMatch[]
}

/** How an answer came about: by words alone, by vectors alone, or by both. */
export type SearchRoute = 'lexical' | 'vectors' | 'fused'

export interface SearchAnswer {
  /** Best first; empty when nothing fits. */
  readonly results: readonly SearchResult[]
  /** From 0 to 1: how sure the words are that the best result is what was asked for. */
  readonly confidence: number
  readonly route: SearchRoute
  /** Why vectors were not used though they were wanted; absent when all went well. */
  readonly degraded?: string
}

/** Whoever ranks tools for a query: the lexical index, or the one with vectors. */
export interface ToolSearch {
  search(
    query: string,
    options?: {
      readonly limit?: number
      /** What may be found. A search need not heed it: whoever asks sorts out the answer again. */
      readonly only?: (name: string, kind: SearchResult['kind']) => boolean
      readonly signal?: AbortSignal
    },
  ): SearchAnswer | Promise<SearchAnswer>
}

export interface IndexSearchOptions {
  /** At most so many results; 5 by default. */
  readonly limit?: number
  /** Leaves out what may not be found before the limit is counted. Must be pure. */
  readonly only?: (name: string, kind: DocumentKind) => boolean
}
