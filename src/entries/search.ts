export { createToolIndex } from '../search/create-tool-index.ts'
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
