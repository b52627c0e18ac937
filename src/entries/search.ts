export { catalogIndex, documentsOf } from '../search/catalog-index.ts'
export { type ConfusedPair, confusedPairs } from '../search/confused-pairs.ts'
export {
  createToolIndex,
  layeredIndex,
  type SharedToolIndex,
  type ToolIndex,
} from '../search/rank/tool-index.ts'
export {
  evaluate,
  type Evaluation,
  type EvaluationQuery,
  type NoMatch,
} from '../search/evaluate.ts'
export type {
  IndexSearchOptions,
  SearchAnswer,
  SearchMatch,
  SearchResult,
  ToolSearch,
} from '../search/rank/search-answer.ts'
export type { DocumentKind, ToolDocument } from '../search/index/tool-document.ts'
export {
  createExactVectors,
  type Nearest,
  type NearVector,
  type StoredVector,
  type VectorEntry,
  type VectorId,
  type VectorStore,
} from '../search/vectors/vector-store.ts'
export {
  createHybridSearch,
  type HybridOptions,
  type HybridSearch,
} from '../search/vectors/hybrid-search.ts'
export { createMemoryEmbeddings, type EmbeddingCache } from '../search/vectors/embedding-cache.ts'
export {
  createVectorIndex,
  type EmbeddingReport,
  type NearestOptions,
  type VectorIndex,
  type VectorIndexOptions,
} from '../search/vectors/vector-index.ts'
export type { Embedder, EmbeddingPurpose, EmbedOptions } from '../search/vectors/embedder.ts'

// Reports.
export { MOST_FULLY_COMPARED } from '../search/confused-pairs.ts'
export type { QueryOutcome } from '../search/evaluate.ts'
