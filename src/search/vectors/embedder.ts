/** The use of a text: a tool or skill to find, or a query. Some models embed them differently. */
export type EmbeddingPurpose = 'document' | 'query'

export interface EmbedOptions {
  readonly purpose: EmbeddingPurpose
  readonly signal?: AbortSignal
}

/**
 * Turns texts into vectors: the port for an embedding model.
 *
 * It applies its own time limits and retries, and rejects with an error whose message gives the reason.
 * Its vectors are checked before they are used.
 */
export interface Embedder {
  /** Identifies the model, and everything else that changes its vectors; a key of the cache. */
  readonly model: string
  /** Dimensions of the vectors, if known in advance; else those of the first answer. */
  readonly dimensions?: number
  /** Returns one vector per text, in order. The length is arbitrary, only directions are compared. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
}
