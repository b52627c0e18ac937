import type { ContentHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Embedder } from './embedder.ts'
import type { EmbeddingCache } from './embedding-cache.ts'

interface HashedText {
  readonly hash: ContentHash
  readonly text: string
}

/** Texts per request. An embedder for a model with a lower limit splits them again. */
const BATCH = 256

/** Embeds texts, each content once, except those in the cache. */
export async function embedTexts(
  texts: readonly HashedText[],
  run: {
    readonly embedder: Embedder
    readonly cache: EmbeddingCache
    /** Dimensions of the vectors; null when unknown so far. */
    readonly dimensions: number | null
    readonly signal?: AbortSignal
    /** Receives the vectors batch by batch, so that a failure loses only one batch. */
    take(vectors: ReadonlyMap<ContentHash, Float32Array>): Promise<void>
  },
): Promise<{ readonly embedded: number; readonly cached: number }> {
  const { embedder, cache, signal, take } = run
  const { model } = embedder
  const unique = [...new Map(texts.map((one) => [one.hash, one])).values()]
  let { dimensions } = run
  let cached = 0
  for (let at = 0; at < unique.length; at += BATCH) {
    signal?.throwIfAborted()
    const batch = unique.slice(at, at + BATCH)
    const known = await lookUp(cache, model, batch, dimensions)
    const unknown = batch.filter(({ hash }) => !known.has(hash))
    const vectors = new Map(known)
    cached += known.size
    dimensions ??= firstLength(known)
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
      // Without the cache, the texts are embedded again next time.
      await cache.set(model, fresh).catch(() => {})
    }
    dimensions ??= firstLength(vectors)
    await take(vectors)
  }
  return { embedded: unique.length - cached, cached }
}

/** Reads the cache. Ignores its errors, and vectors of other dimensions, which another model made. */
async function lookUp(
  cache: EmbeddingCache,
  model: string,
  texts: readonly HashedText[],
  dimensions: number | null,
): Promise<ReadonlyMap<ContentHash, Float32Array>> {
  const hashes = texts.map(({ hash }) => hash)
  const known = await cache.get(model, hashes).catch(() => new Map<ContentHash, Float32Array>())
  const expected = dimensions ?? firstLength(known)
  return new Map([...known].filter(([, vector]) => vector.length === expected))
}

function firstLength(vectors: ReadonlyMap<unknown, Float32Array>): number | null {
  return vectors.values().next().value?.length ?? null
}

/** Characters of a query that are embedded, and queries whose vectors are kept. */
const LONGEST_QUERY = 2_000

const MOST_QUERIES = 100

/**
 * Returns a function that embeds queries and keeps the last hundred vectors: a caller searches again
 * for more results when it may not use the first ones.
 */
export function createQueryVectors(embedder: Embedder) {
  const known = new Map<string, Float32Array>()
  return async (
    query: string,
    dimensions: number | null,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array> => {
    const text = query.slice(0, LONGEST_QUERY).toWellFormed()
    const before = known.get(text)
    if (before !== undefined) return before
    const given = await embedder.embed([text], { purpose: 'query', ...(signal && { signal }) })
    const [vector = new Float32Array(0)] = checkEmbeddings(given, 1, embedder.model, dimensions)
    known.set(text, vector)
    for (const oldest of known.keys()) {
      if (known.size <= MOST_QUERIES) break
      known.delete(oldest)
    }
    return vector
  }
}

/**
 * Checks the vectors of a model and scales them to length 1.
 *
 * @param dimensions the required dimensions; null when unknown so far
 * @throws WorkspaceError `EMBEDDINGS_WRONG` when the number of vectors is not that of the texts, when
 * their dimensions differ, or when they contain something other than finite numbers
 */
function checkEmbeddings(
  vectors: readonly Float32Array[],
  texts: number,
  model: string,
  dimensions: number | null,
): readonly Float32Array[] {
  if (vectors.length !== texts) {
    throw wrong(model, `${vectors.length} vectors for ${texts} texts`)
  }
  const expected = dimensions ?? vectors[0]?.length ?? 0
  for (const vector of vectors) {
    if (vector.length !== expected || expected === 0) {
      throw wrong(model, `a vector of ${vector.length} numbers instead of ${expected || 'some'}`)
    }
    if (!vector.every(Number.isFinite))
      throw wrong(model, 'a vector with a value that is not a number')
  }
  return vectors.map(unitVector)
}

function wrong(model: string, what: string): WorkspaceError {
  return new WorkspaceError('EMBEDDINGS_WRONG', `The model "${model}" returned ${what}.`, {
    facts: { model },
    hint: 'Use an embedding model. If its dimensions have changed, use a new cache and store.',
  })
}

/** Scales a vector to length 1; a vector of length 0 is returned unchanged. */
export function unitVector(vector: Float32Array): Float32Array {
  // Divided by the largest number, so that no square overflows.
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  if (largest === 0) return vector
  let sum = 0
  for (const value of vector) sum += (value / largest) ** 2
  const length = Math.sqrt(sum)
  return vector.map((value) => value / largest / length)
}
