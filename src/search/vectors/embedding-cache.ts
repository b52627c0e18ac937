import type { ContentHash } from '../../kernel/content-hash.ts'

/**
 * Embeddings of texts by model and content, for whoever embeds the same text again.
 *
 * Only a cache: what it does not know, or fails to tell, is embedded again.
 */
export interface EmbeddingCache {
  /** The vectors it has; texts it does not know are left out. */
  get(
    model: string,
    hashes: readonly ContentHash[],
  ): Promise<ReadonlyMap<ContentHash, Float32Array>>
  set(model: string, vectors: ReadonlyMap<ContentHash, Float32Array>): Promise<void>
}

/** Vectors it keeps unless told otherwise: 60 MB of 1,536 numbers each. */
const MOST = 10_000

/** A cache for one process; of more than `most` vectors those that were put in first are forgotten. */
export function createMemoryEmbeddings(most = MOST): EmbeddingCache {
  const kept = new Map<string, Float32Array>()
  const keyOf = (model: string, hash: ContentHash) => `${hash} ${model}`
  return {
    async get(model, hashes) {
      const found = new Map<ContentHash, Float32Array>()
      for (const hash of hashes) {
        const vector = kept.get(keyOf(model, hash))
        if (vector !== undefined) found.set(hash, vector)
      }
      return found
    },
    async set(model, vectors) {
      for (const [hash, vector] of vectors) kept.set(keyOf(model, hash), vector)
      for (const key of kept.keys()) {
        if (kept.size <= most) break
        kept.delete(key)
      }
    },
  }
}
