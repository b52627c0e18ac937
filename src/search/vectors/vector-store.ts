import type { ContentHash } from '../../kernel/content-hash.ts'
import { byName } from '../../kernel/nearest-names.ts'
import { documentKey, type DocumentKind } from '../index/tool-document.ts'

/** The identity of a document in a store of vectors. */
export interface VectorId {
  readonly name: string
  readonly kind: DocumentKind
}

export interface StoredVector extends VectorId {
  /** The hash of the embedded text. */
  readonly hash: ContentHash
}

export interface VectorEntry extends StoredVector {
  /** Has length 1, and the same dimensions as all vectors of the store. */
  readonly vector: Float32Array
}

/** A document with its similarity to a query. */
export interface NearVector extends VectorId {
  /** The cosine, from -1 to 1. */
  readonly similarity: number
}

export interface Nearest {
  /** Nearest first; equally near ones by name. */
  readonly nearest: readonly NearVector[]
  /** The mean similarity of the query to all documents, or to a sample of them. */
  readonly usual: number
}

/** Stores and compares vectors: in memory, or in a database if there are many. */
export interface VectorStore {
  /** Lists all vectors; a persistent store also has those of earlier processes. */
  contents(): Promise<readonly StoredVector[]>
  /** Adds vectors, or replaces those with the same kind and name. */
  put(entries: readonly VectorEntry[]): Promise<void>
  remove(ids: readonly VectorId[]): Promise<void>
  nearest(
    vector: Float32Array,
    limit: number,
    only: (name: string, kind: DocumentKind) => boolean,
  ): Promise<Nearest>
  close(): Promise<void>
}

const FIRST_ROOM = 64

/**
 * Creates a store in memory that compares every vector with the query: exact, and fast enough for about
 * ten thousand.
 *
 * The vectors are in one array; the last one takes the place of a removed one.
 */
export function createExactVectors(): VectorStore {
  const slots = new Map<string, number>()
  const stored: StoredVector[] = []
  let dimensions = 0
  let data = new Float32Array(0)

  const room = (count: number) => {
    if (count * dimensions <= data.length) return
    const larger = new Float32Array(Math.max(count, FIRST_ROOM, stored.length * 2) * dimensions)
    larger.set(data)
    data = larger
  }
  const similarity = (slot: number, vector: Float32Array): number => {
    let sum = 0
    const start = slot * dimensions
    for (let at = 0; at < dimensions; at += 1) sum += (data[start + at] ?? 0) * (vector[at] ?? 0)
    return sum
  }
  const take = (id: VectorId) => {
    const slot = slots.get(documentKey(id))
    if (slot === undefined) return
    slots.delete(documentKey(id))
    const last = stored.pop()
    if (last === undefined) return
    if (slot === stored.length) return
    stored[slot] = last
    slots.set(documentKey(last), slot)
    data.copyWithin(slot * dimensions, stored.length * dimensions, (stored.length + 1) * dimensions)
  }

  return {
    contents: async () => [...stored],
    async put(entries) {
      for (const { name, kind, hash, vector } of entries) {
        if (stored.length === 0 && dimensions !== vector.length) {
          dimensions = vector.length
          data = new Float32Array(0)
        }
        const slot = slots.get(documentKey({ name, kind })) ?? stored.length
        room(slot + 1)
        data.set(vector, slot * dimensions)
        stored[slot] = { name, kind, hash }
        slots.set(documentKey({ name, kind }), slot)
      }
    },
    async remove(ids) {
      for (const id of ids) take(id)
    },
    async nearest(vector, limit, only) {
      const similarities = new Float64Array(stored.length)
      const allowed: number[] = []
      let sum = 0
      for (const [slot, { name, kind }] of stored.entries()) {
        const near = similarity(slot, vector)
        similarities[slot] = near
        sum += near
        if (only(name, kind)) allowed.push(near)
      }
      const least = Float64Array.from(allowed).sort().at(-Math.min(limit, allowed.length)) ?? 1
      const nearest = stored
        .flatMap(({ name, kind }, slot): readonly NearVector[] => {
          const near = similarities[slot] ?? 0
          return near >= least && only(name, kind) ? [{ name, kind, similarity: near }] : []
        })
        .sort((a, b) => b.similarity - a.similarity || byName(a.name, b.name))
      return {
        nearest: nearest.slice(0, limit),
        usual: stored.length === 0 ? 0 : sum / stored.length,
      }
    },
    async close() {},
  }
}
