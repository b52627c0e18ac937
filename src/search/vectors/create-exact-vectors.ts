import type { VectorId, VectorStore, NearVector, StoredVector } from './vector-store.ts'

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
