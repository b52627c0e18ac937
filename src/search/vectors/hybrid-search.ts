import type { DocumentKind, ToolDocument } from '../index/tool-document.ts'
import type {
  IndexSearchOptions,
  SearchAnswer,
  SearchResult,
  ToolSearch,
} from '../rank/search-answer.ts'
import { createToolIndex, layeredIndex, type SharedToolIndex } from '../rank/tool-index.ts'
import type { EmbeddingReport, VectorIndex } from './vector-index.ts'

export interface HybridOptions {
  readonly documents: Iterable<ToolDocument>
  readonly vectors: VectorIndex
  /** An index of the documents, such as a catalog's; one is made of them when absent. */
  readonly index?: SharedToolIndex
  /**
   * Confidences of words below which vectors answer alone, and above which words do; 0.3 and 0.8.
   * With `[0, 0.8]` words have a say everywhere, which is safer with a model of unknown quality.
   */
  readonly bounds?: readonly [low: number, high: number]
  /** How far a document must stand out for vectors alone to give it; 0.15. See `lift`. */
  readonly leastLift?: number
}

/** Ranks by words where they are sure, by vectors where they are not, and by both in between. */
export interface HybridSearch extends ToolSearch {
  /** Never rejects: without vectors it answers by words, and `degraded` says why. */
  search(
    query: string,
    options?: IndexSearchOptions & { readonly signal?: AbortSignal },
  ): Promise<SearchAnswer>
  /**
   * Embed what has no vector yet, at the start of a process say. Until that was done, and whenever
   * documents were added, a search that wants vectors begins it and does not wait for it.
   *
   * @throws what the embedder or the store threw
   */
  prepare(signal?: AbortSignal): Promise<EmbeddingReport>
  /** Put a document in, in place of one with its kind and name; only it is embedded. */
  add(document: ToolDocument): void
  remove(name: string, kind?: DocumentKind): boolean
  /** Stop embedding, and close the store. Searches go on, by words. */
  close(): Promise<void>
}

const BOUNDS = [0.3, 0.8] as const

const LEAST_LIFT = 0.15

const LIMIT = 5

/** How deep each of the two is looked into for what is fused. */
const DEPTH = 50

/** Part of the documents that must have vectors before vectors are asked. */
const ENOUGH_READY = 0.9

/** A search over words and vectors. The index that is given is shared, and not changed. */
export function createHybridSearch({
  documents,
  vectors,
  index: given,
  bounds = BOUNDS,
  leastLift = LEAST_LIFT,
}: HybridOptions): HybridSearch {
  const all = [...documents]
  const index = given === undefined ? createToolIndex(all) : layeredIndex(given)
  for (const document of all) vectors.add(document)
  const closing = new AbortController()
  /** Why embedding failed the last time. */
  let fault: string | null = null

  const prepare = async (signal?: AbortSignal): Promise<EmbeddingReport> => {
    const signals = signal ? [signal, closing.signal] : [closing.signal]
    try {
      const report = await vectors.settle(AbortSignal.any(signals))
      fault = null
      return report
    } catch (error) {
      fault = reasonOf(error)
      throw error
    }
  }

  /** Why vectors are not to be asked; null when they are. */
  const unready = (): string | null => {
    if (closing.signal.aborted) return 'The search was closed.'
    // The fault is kept; there is nobody to tell it to now.
    if (!vectors.settled) void prepare().catch(() => {})
    const { ready, size } = vectors
    if (ready >= size * ENOUGH_READY) return null
    const state = `${ready} of ${size} documents have a vector so far.`
    return fault === null ? state : `${state} ${fault}`
  }

  /** The documents near a query, nearest first. */
  const near = async (query: string, options: IndexSearchOptions & { signal?: AbortSignal }) => {
    const { nearest, usual } = await vectors.nearest(query, { limit: DEPTH, ...options })
    const [first] = nearest
    if (first === undefined) return []
    const least = meanSimilarityWithout(first.similarity, usual, vectors.size)
    return nearest
      .map(({ name, kind, similarity }) => ({ name, kind, lift: liftOver(similarity, least) }))
      .filter((one): one is LiftedDocument => one.lift > 0)
  }

  return {
    async search(query, { limit = LIMIT, only, signal } = {}) {
      const asked = { limit: Math.max(limit, DEPTH), ...(only && { only }) }
      const words = index.search(query, asked)
      const byWords = { ...words, results: words.results.slice(0, limit) }
      const { confidence } = words
      if (confidence > bounds[1] || query.trim() === '' || vectors.size === 0) return byWords
      const reason = unready()
      if (reason !== null) return { ...byWords, degraded: withoutVectors(reason) }
      try {
        signal?.throwIfAborted()
        const found = await near(query, { ...asked, ...(signal && { signal }) })
        const fits = found.filter((one) => one.lift >= leastLift)
        // Where nothing stands out, vectors know nothing, and what words found stays.
        if (fits.length === 0) return byWords
        if (confidence < bounds[0]) {
          const matched = new Map(words.results.map((one) => [`${one.kind} ${one.name}`, one]))
          const results = fits.map(({ name, kind, lift: score }) => {
            const same = matched.get(`${kind} ${name}`)
            return { name, kind, score, matched: same?.matched ?? [] }
          })
          return { results: results.slice(0, limit), confidence, route: 'vectors' }
        }
        const fused = fuse(words.results, found, wordsShare(confidence, bounds[1]))
        return { results: fused.slice(0, limit), confidence, route: 'fused' }
      } catch (error) {
        return { ...byWords, degraded: withoutVectors(reasonOf(error)) }
      }
    },
    prepare,
    add(document) {
      index.add(document)
      vectors.add(document)
    },
    remove(name, kind) {
      vectors.remove(name, kind)
      return index.remove(name, kind)
    },
    async close() {
      closing.abort(new Error('The search was closed.'))
      await vectors.close()
    },
  }
}

function withoutVectors(reason: string): string {
  return `Only words were searched: ${reason}`
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A document that vectors found. */
interface LiftedDocument extends Pick<SearchResult, 'name' | 'kind'> {
  /** How far it stands out, from 0 to 1: see `lift`. */
  readonly lift: number
}

/** A lift from which on a document clearly stands out. Below, vectors speak the less, the less it is. */
const CLEAR_LIFT = 0.4

/** Part that words have in a fused answer: the surer they are the more, and all from `sure` on. */
export function wordsShare(confidence: number, sure: number): number {
  return sure <= 0 ? 1 : Math.min(1, Math.max(0, confidence / sure))
}

/**
 * One ranking of two: each document gets the part of the best points it has by words, and by
 * vectors, weighed by `share`. So the order glides from that of vectors to that of words as words
 * become surer, and no document is lifted for its place alone.
 *
 * @param words best first, as an index gives them
 * @param share the part that words have, from 0 to 1
 */
export function fuse(
  words: readonly SearchResult[],
  vectors: readonly LiftedDocument[],
  share: number,
): readonly SearchResult[] {
  const mostPoints = Math.max(...words.map(({ score }) => score), Number.MIN_VALUE)
  const mostLift = Math.max(...vectors.map(({ lift }) => lift), CLEAR_LIFT)
  const byKey = new Map(words.map((one) => [keyOf(one), one]))
  const lifts = new Map(vectors.map((one) => [keyOf(one), one.lift]))
  return [...new Map([...vectors, ...words].map((one) => [keyOf(one), one])).entries()]
    .map(([key, { name, kind }]): SearchResult => {
      const points = (byKey.get(key)?.score ?? 0) / mostPoints
      const lift = (lifts.get(key) ?? 0) / mostLift
      const matched = byKey.get(key)?.matched ?? []
      return { name, kind, score: share * points + (1 - share) * lift, matched }
    })
    .filter(({ score }) => score > 0)
    .sort(byScore)
}

function keyOf({ name, kind }: Pick<SearchResult, 'name' | 'kind'>): string {
  return `${kind} ${name}`
}

function byScore(a: SearchResult, b: SearchResult): number {
  return b.score - a.score || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}

/**
 * How far a document stands out from what a query has in common with any document, from 0 (as near
 * as the usual one, or less) to 1 (the same direction).
 *
 * Models differ in what unrelated texts have in common: a cosine of 0.1 for some, 0.75 for others.
 * Counted from there, one bound holds for all of them.
 */
export function liftOver(similarity: number, usual: number): number {
  const least = Math.min(Math.max(usual, 0), 0.999)
  return Math.min(1, Math.max(0, (similarity - least) / (1 - least)))
}

/** The mean similarity without one document, which should not be measured by itself. */
export function meanSimilarityWithout(
  similarity: number,
  usual: number,
  documents: number,
): number {
  return documents < 2 ? 0 : (usual * documents - similarity) / (documents - 1)
}
