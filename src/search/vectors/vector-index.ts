import { type ContentHash, textHash } from '../../kernel/content-hash.ts'
import { schemaWords } from '../index/document-fields.ts'
import { type DocumentKind, splitName, type ToolDocument } from '../index/tool-document.ts'
import { createQueryVectors, embedTexts } from './embed-texts.ts'
import type { Embedder } from './embedder.ts'
import type { EmbeddingCache } from './embedding-cache.ts'
import {
  createExactVectors,
  type Nearest,
  type VectorId,
  type VectorStore,
} from './vector-store.ts'

export interface VectorIndexOptions {
  readonly embedder: Embedder
  /** Where vectors are compared; in memory when absent. It holds the documents of this index only. */
  readonly store?: VectorStore
  /** Where embeddings are looked up before they are asked for; nowhere when absent. */
  readonly cache?: EmbeddingCache
}

/** What it took to give every document its vector. */
export interface EmbeddingReport {
  /** Texts that the model embedded. */
  readonly embedded: number
  /** Texts whose embedding the cache had. */
  readonly cached: number
  /** Documents that had their vector already. */
  readonly kept: number
  /** Vectors taken out, because their documents are gone. */
  readonly removed: number
}

/** How near the documents of an index are to a query. */
export interface VectorIndex {
  readonly model: string
  /** Documents in it. */
  readonly size: number
  /** Documents that have the vector of what they say now. */
  readonly ready: number
  /** Whether nothing is left to embed, and no vector to take out. */
  readonly settled: boolean
  /** Put a document in, or in place of one with its kind and name. Embeds nothing yet. */
  add(document: ToolDocument): void
  remove(name: string, kind?: DocumentKind): boolean
  /**
   * Embed what has no vector yet, once however many ask. What was embedded stays when it fails.
   *
   * @throws what the embedder or the store threw
   */
  settle(signal?: AbortSignal): Promise<EmbeddingReport>
  /** The nearest documents that have their vector. Rejects when the query cannot be embedded. */
  nearest(query: string, options: NearestOptions): Promise<Nearest>
  close(): Promise<void>
}

export interface NearestOptions {
  readonly limit: number
  readonly only?: (name: string, kind: DocumentKind) => boolean
  readonly signal?: AbortSignal
}

interface Wanted extends VectorId {
  readonly document: ToolDocument
  readonly hash: ContentHash
}

const NO_CACHE: EmbeddingCache = {
  get: async () => new Map(),
  set: async () => {},
}

/** An index over vectors, with no documents yet; a hybrid search puts in those it is given. */
export function createVectorIndex({
  embedder,
  store = createExactVectors(),
  cache = NO_CACHE,
}: VectorIndexOptions): VectorIndex {
  const wanted = new Map<string, Wanted>()
  /** What the store holds, by key; null until it was asked. */
  let stored: Map<string, ContentHash> | null = null
  let dimensions = embedder.dimensions ?? null
  let settling: Promise<EmbeddingReport> | null = null
  const vectorOf = createQueryVectors(embedder)
  /** Another number after every change of what is wanted; and the one that is settled. */
  let version = 0
  let settledVersion = -1
  /** Documents that are ready, as they were counted last; null after a change. */
  let ready: number | null = null
  const changed = () => {
    version += 1
    ready = null
  }

  const isReady = (key: string) =>
    stored !== null && stored.has(key) && stored.get(key) === wanted.get(key)?.hash

  const settleAll = async (signal: AbortSignal | undefined): Promise<EmbeddingReport> => {
    const begun = version
    stored ??= new Map((await store.contents()).map((one) => [keyOf(one), one.hash]))
    const has = stored
    const missing = [...wanted].filter(([key, { hash }]) => has.get(key) !== hash)
    const kept = wanted.size - missing.length
    const gone = [...has.keys()].filter((key) => !wanted.has(key)).map(idOf)
    await store.remove(gone)
    for (const id of gone) has.delete(keyOf(id))
    const texts = missing.map(([, { document, hash }]) => ({ hash, text: documentText(document) }))
    const counts = await embedTexts(texts, {
      embedder,
      cache,
      dimensions,
      ...(signal && { signal }),
      async take(vectors) {
        const entries = missing.flatMap(([key, { name, kind, hash }]) => {
          const vector = vectors.get(hash)
          // Meanwhile it may have been replaced or removed.
          const isWanted = wanted.get(key)?.hash === hash
          return vector && isWanted ? [{ name, kind, hash, vector }] : []
        })
        dimensions ??= entries[0]?.vector.length ?? null
        await store.put(entries)
        for (const entry of entries) has.set(keyOf(entry), entry.hash)
        ready = null
      },
    })
    ready = null
    settledVersion = begun
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
      wanted.set(keyOf({ name, kind }), { name, kind, document, hash })
      changed()
    },
    remove(name, kind = 'tool') {
      const wasThere = wanted.delete(keyOf({ name, kind }))
      if (wasThere) changed()
      return wasThere
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
        (name, kind) => isReady(keyOf({ name, kind })) && only(name, kind),
      )
    },
    close: () => store.close(),
  }
}

function keyOf({ name, kind }: VectorId): string {
  return `${kind} ${name}`
}

function idOf(key: string): VectorId {
  const at = key.indexOf(' ')
  return { kind: key.slice(0, at) === 'skill' ? 'skill' : 'tool', name: key.slice(at + 1) }
}

/** Characters that are embedded: about 500 tokens, which every embedding model reads. */
const LONGEST_TEXT = 2_000

const LONGEST_NAME = 200

const MOST_PARAMETERS = 20

const MOST_PHRASES = 20

const SEPARATORS = /[_\-./:]+/gu

const HUMP = /(\p{Ll})(\p{Lu})/gu

/**
 * What of a document is embedded: its name in words, what it does, what people say to get it, its
 * subject, and the names of its parameters. What matters most stands first, since the end is cut.
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
