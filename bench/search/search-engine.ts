import type { ToolDocument } from 'loadout/search'

/** A search engine that is measured. */
export interface SearchEngine {
  readonly name: string
  build(documents: readonly ToolDocument[]): BuiltIndex | Promise<BuiltIndex>
}

/** An index that an engine built. */
export interface BuiltIndex {
  /** Names, best first. */
  search(query: string, limit: number): readonly string[] | Promise<readonly string[]>
  /** Adds one document and removes it again; absent where that takes a new index. */
  addAndRemove?(document: ToolDocument): unknown
}
