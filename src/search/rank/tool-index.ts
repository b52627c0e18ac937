import type { SearchAnswer } from './search-answer.ts'
import type { ToolDocument } from '../index/tool-document.ts'

/** Tools and skills may share a name; the two together are what a document is known by. */
export type DocumentKind = NonNullable<ToolDocument['kind']>

export interface IndexSearchOptions {
  /** At most so many results; 5 by default. */
  readonly limit?: number
  /** Leaves out what may not be found before the limit is counted. Must be pure. */
  readonly only?: (name: string, kind: DocumentKind) => boolean
}

/** An index that is only looked into: what sessions share. */
export interface SharedToolIndex {
  /** Documents in it. */
  readonly size: number
  /** Rank the documents for a request in a user's or a model's words. Never throws. */
  search(query: string, options?: IndexSearchOptions): SearchAnswer
}

/** Ranks tools and skills by words, and can be changed one document at a time. */
export interface ToolIndex extends SharedToolIndex {
  /** Put a document in, in place of the one with its kind and name. */
  add(document: ToolDocument): void
  /** Take a document out; `kind` is `tool` when absent. False when it was not there. */
  remove(name: string, kind?: DocumentKind): boolean
}
