import type { SearchField } from '../index/search-fields.ts'
import type { DocumentKind } from '../index/tool-document.ts'

/**
 * A field of a result and the words of the query that it contains: the words themselves, other forms,
 * related or similar words, or their parts.
 */
export interface SearchMatch {
  readonly field: SearchField
  readonly terms: readonly string[]
}

export interface SearchResult {
  readonly name: string
  readonly kind: 'tool' | 'skill'
  /** Above 0. Scores of different answers cannot be compared. */
  readonly score: number
  /** Empty for a result that only vectors found, or a phrase that has only stop words. */
  readonly matched: readonly SearchMatch[]
}

/** The origin of an answer: words, vectors, or both. */
export type SearchRoute = 'lexical' | 'vectors' | 'fused'

export interface SearchAnswer {
  /** Best first; empty when nothing matches. */
  readonly results: readonly SearchResult[]
  /** The probability, from 0 to 1, by words, that the best result is the right one. */
  readonly confidence: number
  readonly route: SearchRoute
  /** The reason why vectors could not be used; absent when they were, or were not needed. */
  readonly degraded?: string
}

/** Ranks tools for a query: the index by words, or the hybrid search with vectors. */
export interface ToolSearch {
  search(
    query: string,
    options?: {
      readonly limit?: number
      /** Selects the documents that may be found. The caller filters the answer again. */
      readonly only?: (name: string, kind: SearchResult['kind']) => boolean
      readonly signal?: AbortSignal
    },
  ): SearchAnswer | Promise<SearchAnswer>
}

export interface IndexSearchOptions {
  /** Maximum number of results (default: 5). */
  readonly limit?: number
  /** Selects the documents that may be found, before the limit is applied. Must be pure. */
  readonly only?: (name: string, kind: DocumentKind) => boolean
}
