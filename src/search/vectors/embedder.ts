/** What a text is: a tool or skill to be found, or a request. Some models embed them differently. */
export type EmbeddingPurpose = 'document' | 'query'

export interface EmbedOptions {
  readonly purpose: EmbeddingPurpose
  readonly signal?: AbortSignal
}

/**
 * Turns texts into vectors: the port behind which an embedding model stands.
 *
 * It keeps its own time limits and retries, and rejects with an error whose message says what went
 * wrong. What it gives is checked before it is used.
 */
export interface Embedder {
  /** Names the model and whatever else changes its vectors: embeddings are cached under it. */
  readonly model: string
  /** Numbers in a vector, where known beforehand; those of its first answer otherwise. */
  readonly dimensions?: number
  /** One vector for each text, in their order; of any length, since only directions are compared. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
}
