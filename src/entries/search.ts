export { catalogIndex } from '../search/catalog-index.ts'
export { confusedPairs } from '../search/confused-pairs.ts'
export type { ConfusedPair } from '../search/confused-pairs.ts'
export { createToolIndex } from '../search/rank/create-tool-index.ts'
export { documentsOf } from '../search/documents-of.ts'
export { evaluate } from '../search/evaluate.ts'
export type { Evaluation, EvaluationQuery, NoMatch, QueryOutcome } from '../search/evaluate.ts'
export { layeredIndex } from '../search/rank/layered-index.ts'
export type {
  SearchAnswer,
  SearchField,
  SearchMatch,
  SearchResult,
  SearchRoute,
  ToolSearch,
} from '../search/rank/search-answer.ts'
export type { ToolDocument } from '../search/index/tool-document.ts'
export type {
  DocumentKind,
  IndexSearchOptions,
  SharedToolIndex,
  ToolIndex,
} from '../search/rank/tool-index.ts'

export { createExactVectors } from '../search/vectors/create-exact-vectors.ts'
export { createHybridSearch } from '../search/vectors/create-hybrid-search.ts'
export type { HybridOptions, HybridSearch } from '../search/vectors/create-hybrid-search.ts'
export { createMemoryEmbeddings } from '../search/vectors/create-memory-embeddings.ts'
export { createVectorIndex } from '../search/vectors/create-vector-index.ts'
export type {
  EmbeddingReport,
  NearestOptions,
  VectorIndex,
  VectorIndexOptions,
} from '../search/vectors/create-vector-index.ts'
export type { Embedder, EmbeddingPurpose, EmbedOptions } from '../search/vectors/embedder.ts'
export type { EmbeddingCache } from '../search/vectors/embedding-cache.ts'
export type {
  Nearest,
  NearVector,
  StoredVector,
  VectorEntry,
  VectorId,
  VectorStore,
} from '../search/vectors/vector-store.ts'
