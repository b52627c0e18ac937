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
