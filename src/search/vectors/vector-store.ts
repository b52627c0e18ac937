import type { ContentHash } from '../../kernel/content-hash.ts'
import type { DocumentKind } from '../rank/tool-index.ts'

/** A document as a store of vectors knows it. */
export interface VectorId {
  readonly name: string
  readonly kind: DocumentKind
}

export interface StoredVector extends VectorId {
  /** Of the text that was embedded. */
  readonly hash: ContentHash
}

export interface VectorEntry extends StoredVector {
  /** Of length 1, and of the same number of dimensions as every other in the store. */
  readonly vector: Float32Array
}

/** A document, and how near it is to a query. */
export interface NearVector extends VectorId {
  /** The cosine, from -1 to 1. */
  readonly similarity: number
}

export interface Nearest {
  /** Nearest first; of equally near ones, by name. */
  readonly nearest: readonly NearVector[]
  /** What the query has in common with any document: its mean similarity to all, or to a sample. */
  readonly usual: number
}

/** Where vectors are kept and compared: memory, or a database where there are many. */
export interface VectorStore {
  /** What it holds; a store that outlives its process brings the vectors of the last one along. */
  contents(): Promise<readonly StoredVector[]>
  /** Put vectors in, in place of those with their kinds and names. */
  put(entries: readonly VectorEntry[]): Promise<void>
  remove(ids: readonly VectorId[]): Promise<void>
  nearest(
    vector: Float32Array,
    limit: number,
    only: (name: string, kind: DocumentKind) => boolean,
  ): Promise<Nearest>
  close(): Promise<void>
}
