import type { ContentHash } from '../../kernel/content-hash.ts'
import type { DocumentKind } from '../index/tool-document.ts'

/** A document as a store of vectors knows it. */
export interface VectorId {
  readonly name: string
  readonly kind: DocumentKind
}

export interface StoredVector extends VectorId {
  /** Of the text that was embedded. */
  readonly hash: ContentHash
}

export interface VectorEntry extends StoredVector {
  /** Of length 1, and of the same number of dimensions as every other in the store. */
  readonly vector: Float32Array
}

/** A document, and how near it is to a query. */
export interface NearVector extends VectorId {
  /** The cosine, from -1 to 1. */
  readonly similarity: number
}

export interface Nearest {
  /** Nearest first; of equally near ones, by name. */
  readonly nearest: readonly NearVector[]
  /** What the query has in common with any document: its mean similarity to all, or to a sample. */
  readonly usual: number
}

/** Where vectors are kept and compared: memory, or a database where there are many. */
export interface VectorStore {
  /** What it holds; a store that outlives its process brings the vectors of the last one along. */
  contents(): Promise<readonly StoredVector[]>
  /** Put vectors in, in place of those with their kinds and names. */
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
 * Vectors in memory, each compared with the query: exact, and fast enough for some ten thousand.
 *
 * They stand one after the other in one array; the last takes the place of one that is removed.
 */
export function createExactVectors(): VectorStore {
  const slots = new Map<string, number>()
  const held: StoredVector[] = []
  let dimensions = 0
  let data = new Float32Array(0)

  const room = (count: number) => {
    if (count * dimensions <= data.length) return
    const larger = new Float32Array(Math.max(count, FIRST_ROOM, held.length * 2) * dimensions)
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
    const slot = slots.get(keyOf(id))
    if (slot === undefined) return
    slots.delete(keyOf(id))
    const last = held.pop()
    if (last === undefined) return
    if (slot === held.length) return
    held[slot] = last
    slots.set(keyOf(last), slot)
    data.copyWithin(slot * dimensions, held.length * dimensions, (held.length + 1) * dimensions)
  }

  return {
    contents: async () => [...held],
    async put(entries) {
      for (const { name, kind, hash, vector } of entries) {
        if (held.length === 0 && dimensions !== vector.length) {
          dimensions = vector.length
          data = new Float32Array(0)
        }
        const slot = slots.get(keyOf({ name, kind })) ?? held.length
        room(slot + 1)
        data.set(vector, slot * dimensions)
        held[slot] = { name, kind, hash }
        slots.set(keyOf({ name, kind }), slot)
      }
    },
    async remove(ids) {
      for (const id of ids) take(id)
    },
    async nearest(vector, limit, only) {
      const similarities = new Float64Array(held.length)
      const allowed: number[] = []
      let sum = 0
      for (const [slot, { name, kind }] of held.entries()) {
        const near = similarity(slot, vector)
        similarities[slot] = near
        sum += near
        if (only(name, kind)) allowed.push(near)
      }
      const least = Float64Array.from(allowed).sort().at(-Math.min(limit, allowed.length)) ?? 1
      const nearest = held
        .flatMap(({ name, kind }, slot): readonly NearVector[] => {
          const near = similarities[slot] ?? 0
          return near >= least && only(name, kind) ? [{ name, kind, similarity: near }] : []
        })
        .sort(byNearness)
      return {
        nearest: nearest.slice(0, limit),
        usual: held.length === 0 ? 0 : sum / held.length,
      }
    },
    async close() {},
  }
}

function keyOf({ name, kind }: VectorId): string {
  return `${kind} ${name}`
}

function byNearness(a: NearVector, b: NearVector): number {
  return b.similarity - a.similarity || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}
