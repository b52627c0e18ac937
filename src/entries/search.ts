export { catalogIndex } from '../search/catalog-index.ts'
export { createToolIndex } from '../search/create-tool-index.ts'
export { documentsOf } from '../search/documents-of.ts'
export { evaluate } from '../search/evaluate.ts'
export type { Evaluation, EvaluationQuery, NoMatch, QueryOutcome } from '../search/evaluate.ts'
export { layeredIndex } from '../search/layered-index.ts'
export type {
  SearchAnswer,
  SearchField,
  SearchMatch,
  SearchResult,
  SearchRoute,
  ToolSearch,
} from '../search/search-answer.ts'
export type { ToolDocument } from '../search/tool-document.ts'
export type {
  DocumentKind,
  IndexSearchOptions,
  SharedToolIndex,
  ToolIndex,
} from '../search/tool-index.ts'
