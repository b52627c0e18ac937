import type { ContentHash } from '../../kernel/content-hash.ts'
import { checkEmbeddings } from './check-embeddings.ts'
import type { Embedder } from './embedder.ts'
import type { EmbeddingCache } from './embedding-cache.ts'

interface Text {
  readonly hash: ContentHash
  readonly text: string
}

interface Means {
  readonly embedder: Embedder
  readonly cache: EmbeddingCache
  /** Numbers in each vector; null when that is not known yet. */
  readonly dimensions: number | null
  readonly signal?: AbortSignal
  /** Handed the vectors batch by batch, so that a failure loses one batch and not all. */
  take(vectors: ReadonlyMap<ContentHash, Float32Array>): Promise<void>
}

interface Counts {
  readonly embedded: number
  readonly cached: number
}

/** Texts that are asked for together. A model that takes fewer parts them again. */
const BATCH = 256

/** Embed texts, each content once, those that the cache knows not at all. */
export async function embedTexts(texts: readonly Text[], means: Means): Promise<Counts> {
  const { embedder, cache, signal, take } = means
  const { model } = embedder
  const unique = [...new Map(texts.map((one) => [one.hash, one])).values()]
  let { dimensions } = means
  let cached = 0
  for (let at = 0; at < unique.length; at += BATCH) {
    signal?.throwIfAborted()
    const batch = unique.slice(at, at + BATCH)
    const known = await lookUp(cache, model, batch, dimensions)
    const unknown = batch.filter(({ hash }) => !known.has(hash))
    const vectors = new Map(known)
    cached += known.size
    dimensions ??= dimensionsOf(known)
    if (unknown.length > 0) {
      const given = await embedder.embed(
        unknown.map(({ text }) => text),
        { purpose: 'document', ...(signal && { signal }) },
      )
      const checked = checkEmbeddings(given, unknown.length, model, dimensions)
      const fresh = new Map(
        unknown.flatMap(({ hash }, index) => {
          const vector = checked[index]
          return vector === undefined ? [] : [[hash, vector] as const]
        }),
      )
      for (const [hash, vector] of fresh) vectors.set(hash, vector)
      // What cannot be cached is embedded again another time.
      await cache.set(model, fresh).catch(() => {})
    }
    dimensions ??= dimensionsOf(vectors)
    await take(vectors)
  }
  return { embedded: unique.length - cached, cached }
}

/** A cache that fails knows nothing, and what it has of other dimensions is of another model. */
async function lookUp(
  cache: EmbeddingCache,
  model: string,
  texts: readonly Text[],
  dimensions: number | null,
): Promise<ReadonlyMap<ContentHash, Float32Array>> {
  const hashes = texts.map(({ hash }) => hash)
  const known = await cache.get(model, hashes).catch(() => new Map<ContentHash, Float32Array>())
  const expected = dimensions ?? dimensionsOf(known)
  return new Map([...known].filter(([, vector]) => vector.length === expected))
}

function dimensionsOf(vectors: ReadonlyMap<unknown, Float32Array>): number | null {
  return vectors.values().next().value?.length ?? null
}
