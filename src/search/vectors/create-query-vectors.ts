import { checkEmbeddings } from './check-embeddings.ts'
import type { Embedder } from './embedder.ts'

/** Characters of a query that are embedded, and queries whose vectors are remembered. */
const LONGEST = 2_000
const MOST = 100

/**
 * The vectors of queries, each asked for once while it is among the last hundred: whoever searches
 * asks again for more results when the first are forbidden.
 */
export function createQueryVectors(embedder: Embedder) {
  const known = new Map<string, Float32Array>()
  return async (
    query: string,
    dimensions: number | null,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array> => {
    const text = query.slice(0, LONGEST).toWellFormed()
    const before = known.get(text)
    if (before !== undefined) return before
    const given = await embedder.embed([text], { purpose: 'query', ...(signal && { signal }) })
    const [vector = new Float32Array(0)] = checkEmbeddings(given, 1, embedder.model, dimensions)
    known.set(text, vector)
    for (const oldest of known.keys()) {
      if (known.size <= MOST) break
      known.delete(oldest)
    }
    return vector
  }
}
