import { type ContentHash, textHash } from '../../kernel/content-hash.ts'
import { schemaWords } from '../index/document-fields.ts'
import {
  documentKey,
  type DocumentKind,
  splitName,
  type ToolDocument,
} from '../index/tool-document.ts'
import { createQueryVectors, embedTexts } from './embed-texts.ts'
import type { Embedder } from './embedder.ts'
import type { EmbeddingCache } from './embedding-cache.ts'
import {
  createExactVectors,
  type Nearest,
  type VectorId,
  type VectorStore,
} from './vector-store.ts'
import { checkRecord, type OptionsOf } from '../../kernel/check-options.ts'

export interface VectorIndexOptions {
  readonly embedder: Embedder
  /** Stores and compares the vectors; in memory when absent. It contains only this index's documents. */
  readonly store?: VectorStore
  /** Looked up before texts are embedded; absent: no cache. */
  readonly cache?: EmbeddingCache
}

const OPTIONS: OptionsOf<VectorIndexOptions> = {
  embedder: 'object',
  store: 'object',
  cache: 'object',
}

/** The result of embedding all documents. */
export interface EmbeddingReport {
  /** Texts that the model has embedded. */
  readonly embedded: number
  /** Texts whose embedding was in the cache. */
  readonly cached: number
  /** Documents that already had their vector. */
  readonly kept: number
  /** Vectors removed, because their documents were removed. */
  readonly removed: number
}

/** Finds the documents that are nearest to a query. */
export interface VectorIndex {
  readonly model: string
  /** The number of documents. */
  readonly size: number
  /** The number of documents with a vector of their current text. */
  readonly ready: number
  /** True when all vectors are up to date. */
  readonly settled: boolean
  /** Adds a document, or replaces the one with its kind and name. Does not embed it yet. */
  add(document: ToolDocument): void
  remove(name: string, kind?: DocumentKind): boolean
  /**
   * Embeds the documents without a vector; concurrent calls share one run. If it fails, finished
   * batches are kept.
   *
   * @throws the error of the embedder or the store
   */
  settle(signal?: AbortSignal): Promise<EmbeddingReport>
  /** Returns the nearest documents with a vector. Rejects when the query cannot be embedded. */
  nearest(query: string, options: NearestOptions): Promise<Nearest>
  close(): Promise<void>
}

export interface NearestOptions {
  readonly limit: number
  readonly only?: (name: string, kind: DocumentKind) => boolean
  readonly signal?: AbortSignal
}

const NO_CACHE: EmbeddingCache = {
  get: async () => new Map(),
  set: async () => {},
}

/** Creates an empty index of vectors; a hybrid search adds its documents to it. */
export function createVectorIndex(options: VectorIndexOptions): VectorIndex {
  checkRecord(options, OPTIONS, 'embedder')
  const { embedder, store = createExactVectors(), cache = NO_CACHE } = options
  const wanted = new Map<string, VectorId & { document: ToolDocument; hash: ContentHash }>()
  /** The hashes in the store, by key; null before it was read. */
  let stored: Map<string, ContentHash> | null = null
  let dimensions = embedder.dimensions ?? null
  let settling: Promise<EmbeddingReport> | null = null
  const vectorOf = createQueryVectors(embedder)
  /** Grows with every change of `wanted`; `settledVersion` is the one that was embedded. */
  let version = 0
  let settledVersion = -1
  /** The cached number of ready documents; null after a change. */
  let ready: number | null = null
  const changed = () => {
    version += 1
    ready = null
  }

  const isReady = (key: string) =>
    stored !== null && stored.has(key) && stored.get(key) === wanted.get(key)?.hash

  const settleAll = async (signal: AbortSignal | undefined): Promise<EmbeddingReport> => {
    const startVersion = version
    stored ??= new Map((await store.contents()).map((one) => [documentKey(one), one.hash]))
    const has = stored
    const missing = [...wanted].filter(([key, { hash }]) => has.get(key) !== hash)
    const kept = wanted.size - missing.length
    const gone = [...has.keys()].filter((key) => !wanted.has(key)).map(parseKey)
    await store.remove(gone)
    for (const id of gone) has.delete(documentKey(id))
    const texts = missing.map(([, { document, hash }]) => ({ hash, text: documentText(document) }))
    const counts = await embedTexts(texts, {
      embedder,
      cache,
      dimensions,
      ...(signal && { signal }),
      async take(vectors) {
        const entries = missing.flatMap(([key, { name, kind, hash }]) => {
          const vector = vectors.get(hash)
          // The document may have been replaced or removed in the meantime.
          const isWanted = wanted.get(key)?.hash === hash
          return vector && isWanted ? [{ name, kind, hash, vector }] : []
        })
        dimensions ??= entries[0]?.vector.length ?? null
        await store.put(entries)
        for (const entry of entries) has.set(documentKey(entry), entry.hash)
        ready = null
      },
    })
    ready = null
    settledVersion = startVersion
    return { ...counts, kept, removed: gone.length }
  }

  return {
    model: embedder.model,
    get size() {
      return wanted.size
    },
    get ready() {
      ready ??= [...wanted.keys()].filter(isReady).length
      return ready
    },
    get settled() {
      return settledVersion === version
    },
    add(document) {
      const { name, kind = 'tool' } = document
      const hash = textHash(documentText(document))
      wanted.set(documentKey({ name, kind }), { name, kind, document, hash })
      changed()
    },
    remove(name, kind = 'tool') {
      const isRemoved = wanted.delete(documentKey({ name, kind }))
      if (isRemoved) changed()
      return isRemoved
    },
    settle(signal) {
      settling ??= settleAll(signal).finally(() => {
        settling = null
      })
      return settling
    },
    async nearest(query, { limit, only = () => true, signal }) {
      const vector = await vectorOf(query, dimensions, signal)
      signal?.throwIfAborted()
      return store.nearest(
        vector,
        limit,
        (name, kind) => isReady(documentKey({ name, kind })) && only(name, kind),
      )
    },
    close: () => store.close(),
  }
}

/** Reverses `documentKey`. */
function parseKey(key: string): VectorId {
  const at = key.indexOf(' ')
  return { kind: key.slice(0, at) === 'skill' ? 'skill' : 'tool', name: key.slice(at + 1) }
}

/** Characters that are embedded: about 500 tokens, within the limit of every embedding model. */
const LONGEST_TEXT = 2_000

const LONGEST_NAME = 200

const MOST_PARAMETERS = 20

const MOST_PHRASES = 20

const SEPARATORS = /[_\-./:]+/gu

const HUMP = /(\p{Ll})(\p{Lu})/gu

/**
 * Returns the text of a document to embed: its name in words, its description, phrases, subject and
 * the names of its parameters. The most important comes first, because the end is cut.
 */
export function documentText(document: ToolDocument): string {
  const { description, phrases = [], topic = '', tags = [], inputSchema } = document
  const { owner, bare } = splitName(document)
  const parameters = schemaWords(inputSchema).names
  return [
    [inWords(bare), inWords(owner)].filter((one) => one !== '').join(', '),
    description,
    ...phrases.slice(0, MOST_PHRASES),
    [topic, ...tags].filter((one) => one !== '').join(', '),
    parameters.slice(0, MOST_PARAMETERS).map(inWords).join(', '),
  ]
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, LONGEST_TEXT)
    .toWellFormed()
}

function inWords(name: string): string {
  return name.slice(0, LONGEST_NAME).replace(HUMP, '$1 $2').replace(SEPARATORS, ' ').trim()
}
