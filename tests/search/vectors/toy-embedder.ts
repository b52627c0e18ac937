import type { Embedder, EmbedOptions } from '../../../src/search/vectors/embedder.ts'
import { toyEmbedding } from './toy-embedding.ts'

/** An embedder in this process that remembers what it was asked. */
export interface ToyEmbedder extends Embedder {
  readonly asked: readonly (readonly string[])[]
  /** Fails from now on with this; null ends it. */
  fail(reason: string | null): void
}

export function toyEmbedder(
  embed: (text: string) => readonly number[] = toyEmbedding,
  model = 'toy',
): ToyEmbedder {
  const asked: (readonly string[])[] = []
  let failing: string | null = null
  return {
    model,
    asked,
    fail: (reason) => {
      failing = reason
    },
    async embed(texts: readonly string[], { signal }: EmbedOptions) {
      signal?.throwIfAborted()
      asked.push(texts)
      if (failing !== null) throw new Error(failing)
      return texts.map((text) => Float32Array.from(embed(text)))
    },
  }
}
