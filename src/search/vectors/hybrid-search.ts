import { documentKey, type DocumentKind, type ToolDocument } from '../index/tool-document.ts'
import type {
  IndexSearchOptions,
  SearchAnswer,
  SearchResult,
  ToolSearch,
} from '../rank/search-answer.ts'
import { createToolIndex, layeredIndex, type SharedToolIndex } from '../rank/tool-index.ts'
import type { EmbeddingReport, VectorIndex } from './vector-index.ts'
import { checkRecord, type OptionsOf } from '../../kernel/check-options.ts'
import { byName } from '../../kernel/nearest-names.ts'

export interface HybridOptions {
  readonly documents: Iterable<ToolDocument>
  readonly vectors: VectorIndex
  /** An index of the documents, such as a catalog's; created when absent. */
  readonly index?: SharedToolIndex
  /**
   * The confidence of words below which only vectors are used, and above which only words are
   * (default: 0.3 and 0.8). With `[0, 0.8]` words always count, which is safer with an unknown model.
   */
  readonly bounds?: readonly [low: number, high: number]
}

const OPTIONS: OptionsOf<HybridOptions> = {
  documents: 'iterable',
  vectors: 'object',
  index: 'object',
  bounds: 'list',
}

/** Ranks by words if their confidence is high, by vectors if it is low, else by both. */
export interface HybridSearch extends ToolSearch {
  /** Never rejects: without vectors it uses words, and `degraded` says why. */
  search(
    query: string,
    options?: IndexSearchOptions & { readonly signal?: AbortSignal },
  ): Promise<SearchAnswer>
  /**
   * Embeds the documents without a vector, for example when a process starts. Otherwise a search that
   * needs vectors starts this in the background, also after documents were added.
   *
   * @throws the error of the embedder or the store
   */
  prepare(signal?: AbortSignal): Promise<EmbeddingReport>
  /** Adds a document, or replaces the one with its kind and name; only it is embedded. */
  add(document: ToolDocument): void
  remove(name: string, kind?: DocumentKind): boolean
  /** Stops embedding and closes the store. Searches still work, by words. */
  close(): Promise<void>
}

const BOUNDS = [0.3, 0.8] as const

/** The least lift of a document that only vectors found. See `liftOver`. */
const LEAST_LIFT = 0.15

const LIMIT = 5

/** Results of words and of vectors that are fused. */
const DEPTH = 50

/** Share of the documents that must have vectors before vectors are used. */
const ENOUGH_READY = 0.9

/** Creates a search by words and vectors. A given index is shared and never changed. */
export function createHybridSearch(options: HybridOptions): HybridSearch {
  checkRecord(options, OPTIONS, 'documents', 'vectors')
  const { documents, vectors, index: given, bounds = BOUNDS } = options
  const all = [...documents]
  const index = given === undefined ? createToolIndex(all) : layeredIndex(given)
  for (const document of all) vectors.add(document)
  const closing = new AbortController()
  /** The reason why the last embedding failed. */
  let fault: string | null = null

  const prepare = async (signal?: AbortSignal): Promise<EmbeddingReport> => {
    const signals = signal ? [signal, closing.signal] : [closing.signal]
    try {
      const report = await vectors.settle(AbortSignal.any(signals))
      fault = null
      return report
    } catch (error) {
      fault = reason(error)
      throw error
    }
  }

  /** Returns the reason why vectors cannot be used; null when they can. */
  const unready = (): string | null => {
    if (closing.signal.aborted) return 'The search was closed.'
    // The error is stored in `fault` and reported by the answer.
    if (!vectors.settled) void prepare().catch(() => {})
    const { ready, size } = vectors
    if (ready >= size * ENOUGH_READY) return null
    const state = `${ready} of ${size} documents have a vector so far.`
    return fault === null ? state : `${state} ${fault}`
  }

  /** Returns the documents near a query, nearest first. */
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
      const lack = unready()
      if (lack !== null) return { ...byWords, degraded: withoutVectors(lack) }
      try {
        signal?.throwIfAborted()
        const found = await near(query, { ...asked, ...(signal && { signal }) })
        const fits = found.filter((one) => one.lift >= LEAST_LIFT)
        // Without a document that stands out, vectors say nothing, and words are used.
        if (fits.length === 0) return byWords
        if (confidence < bounds[0]) {
          const matched = new Map(words.results.map((one) => [documentKey(one), one]))
          const results = fits.map(({ name, kind, lift: score }) => {
            const same = matched.get(documentKey({ name, kind }))
            return { name, kind, score, matched: same?.matched ?? [] }
          })
          return { results: results.slice(0, limit), confidence, route: 'vectors' }
        }
        const fused = fuse(words.results, found, wordsShare(confidence, bounds[1]))
        return { results: fused.slice(0, limit), confidence, route: 'fused' }
      } catch (error) {
        return { ...byWords, degraded: withoutVectors(reason(error)) }
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

function withoutVectors(why: string): string {
  return `Only words were searched: ${why}`
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A document that vectors found. */
interface LiftedDocument extends Pick<SearchResult, 'name' | 'kind'> {
  /** From 0 to 1, see `liftOver`. */
  readonly lift: number
}

/** The lift of a document that clearly stands out. A lower best lift reduces the weight of vectors. */
const CLEAR_LIFT = 0.4

/** Returns the weight of words in a fused answer: it grows with their confidence, up to 1 at `sure`. */
export function wordsShare(confidence: number, sure: number): number {
  return sure <= 0 ? 1 : Math.min(1, Math.max(0, confidence / sure))
}

/**
 * Fuses two rankings: a document's score is its share of the best points by words and of the best lift
 * by vectors, weighted by `share`. So the order changes smoothly from that of vectors to that of words
 * as confidence grows, and ranks alone have no influence.
 *
 * @param words results of an index, best first
 * @param share the weight of words, from 0 to 1
 */
export function fuse(
  words: readonly SearchResult[],
  vectors: readonly LiftedDocument[],
  share: number,
): readonly SearchResult[] {
  const mostPoints = Math.max(...words.map(({ score }) => score), Number.MIN_VALUE)
  const mostLift = Math.max(...vectors.map(({ lift }) => lift), CLEAR_LIFT)
  const byKey = new Map(words.map((one) => [documentKey(one), one]))
  const lifts = new Map(vectors.map((one) => [documentKey(one), one.lift]))
  return [...new Map([...vectors, ...words].map((one) => [documentKey(one), one])).entries()]
    .map(([key, { name, kind }]): SearchResult => {
      const points = (byKey.get(key)?.score ?? 0) / mostPoints
      const lift = (lifts.get(key) ?? 0) / mostLift
      const matched = byKey.get(key)?.matched ?? []
      return { name, kind, score: share * points + (1 - share) * lift, matched }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || byName(a.name, b.name))
}

/**
 * Returns how far the similarity of a document is above the usual similarity of a query, from 0 (at or
 * below it) to 1 (the same direction).
 *
 * The cosine of unrelated texts depends on the model: 0.1 for some, 0.75 for others. Measured from
 * there, one threshold works for all models.
 */
export function liftOver(similarity: number, usual: number): number {
  const least = Math.min(Math.max(usual, 0), 0.999)
  return Math.min(1, Math.max(0, (similarity - least) / (1 - least)))
}

/** Returns the mean similarity without one document, so that it is not compared with itself. */
export function meanSimilarityWithout(
  similarity: number,
  usual: number,
  documents: number,
): number {
  return documents < 2 ? 0 : (usual * documents - similarity) / (documents - 1)
}
