import type { ContentHash } from '../../kernel/content-hash.ts'
import { checkKind } from '../../kernel/check-options.ts'

/**
 * A cache of embeddings by model and content.
 *
 * Texts that it does not contain, or fails to return, are embedded again.
 */
export interface EmbeddingCache {
  /** Returns the cached vectors, without texts that are not cached. */
  get(
    model: string,
    hashes: readonly ContentHash[],
  ): Promise<ReadonlyMap<ContentHash, Float32Array>>
  set(model: string, vectors: ReadonlyMap<ContentHash, Float32Array>): Promise<void>
}

/** Default number of vectors: 60 MB with 1,536 numbers each. */
const MOST = 10_000

/** Creates a cache in memory; of more than `most` vectors the oldest are removed. */
export function createMemoryEmbeddings(most = MOST): EmbeddingCache {
  checkKind(most, 'most', 'number')
  const kept = new Map<string, Float32Array>()
  const cacheKey = (model: string, hash: ContentHash) => `${hash} ${model}`
  return {
    async get(model, hashes) {
      const found = new Map<ContentHash, Float32Array>()
      for (const hash of hashes) {
        const vector = kept.get(cacheKey(model, hash))
        if (vector !== undefined) found.set(hash, vector)
      }
      return found
    },
    async set(model, vectors) {
      for (const [hash, vector] of vectors) kept.set(cacheKey(model, hash), vector)
      for (const key of kept.keys()) {
        if (kept.size <= most) break
        kept.delete(key)
      }
    },
  }
}
