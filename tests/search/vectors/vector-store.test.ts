import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textHash } from '../../../src/kernel/content-hash.ts'
import { createExactVectors, type VectorEntry } from '../../../src/search/vectors/vector-store.ts'
import { createHybridSearch } from '../../../src/search/vectors/hybrid-search.ts'
import { createVectorIndex } from '../../../src/search/vectors/vector-index.ts'
import { SHOP } from '../some-documents.ts'
import { toyEmbedder } from './toy-embedder.ts'
import { unitVector } from '../../../src/search/vectors/embed-texts.ts'

const all = () => true

function entry(name: string, numbers: readonly number[], kind: 'tool' | 'skill' = 'tool') {
  const vector = unitVector(Float32Array.from(numbers))
  return { name, kind, hash: textHash(numbers.join()), vector } satisfies VectorEntry
}

test('a store that outlives an index has its vectors for the next one, and nothing is embedded again', async () => {
  const store = createExactVectors()
  const open = () => {
    const embedder = toyEmbedder()
    const vectors = createVectorIndex({ embedder, store })
    return { embedder, search: createHybridSearch({ documents: SHOP, vectors }) }
  }
  const first = open()
  expect(await first.search.prepare()).toMatchObject({ embedded: SHOP.length })
  const before = await first.search.search('天气')
  const again = open()
  const kept = { embedded: 0, cached: 0, kept: SHOP.length, removed: 0 }
  expect(await again.search.prepare()).toEqual(kept)
  expect(again.embedder.asked).toEqual([])
  expect((await again.search.search('天气')).results).toEqual(before.results)
  again.search.remove('refund_order')
  expect(await again.search.prepare()).toMatchObject({ kept: SHOP.length - 1, removed: 1 })
})

test('a vector is put in, replaced and removed by name and kind', async () => {
  const store = createExactVectors()
  expect(await store.nearest(Float32Array.of(1, 0), 5, all)).toEqual({ nearest: [], usual: 0 })
  await store.remove([{ name: 'nobody', kind: 'tool' }])
  await store.put([entry("it's", [1, 0]), entry('b', [0, 1]), entry('b', [1, 1], 'skill')])
  await store.put([entry('b', [-1, 0])])
  const { nearest, usual } = await store.nearest(Float32Array.of(1, 0), 5, all)
  expect(nearest.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "tool it's",
    'skill b',
    'tool b',
  ])
  expect(nearest[0]?.similarity).toBeCloseTo(1)
  expect(nearest[2]?.similarity).toBeCloseTo(-1)
  expect(usual).toBeCloseTo((1 + Math.SQRT1_2 - 1) / 3)
  await store.remove([{ name: "it's", kind: 'tool' }])
  const contents = await store.contents()
  expect(contents.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual(['skill b', 'tool b'])
  expect(contents.find(({ kind }) => kind === 'tool')?.hash).toBe(textHash('-1,0'))
  await store.close()
})

test('the nearest that may be found are found behind many that may not', async () => {
  const store = createExactVectors()
  const many = Array.from({ length: 60 }, (_, at) => entry(`no ${at}`, [1, at / 1_000]))
  await store.put([...many, entry('yes', [0.2, 1])])
  const only = (name: string) => !name.startsWith('no')
  const { nearest } = await store.nearest(Float32Array.of(1, 0), 1, only)
  expect(nearest.map(({ name }) => name)).toEqual(['yes'])
  await store.close()
})

const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', "'; drop")
const change = fc.oneof(
  fc.record({
    put: name,
    at: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 3 }),
  }),
  fc.record({ take: name }),
)

test('whatever is put in and taken out of memory, it is as a fresh one with the rest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
      const store = createExactVectors()
      const rest = new Map<string, VectorEntry>()
      for (const one of changes) {
        if ('put' in one) {
          rest.set(one.put, entry(one.put, one.at))
          await store.put([entry(one.put, one.at)])
        } else {
          rest.delete(one.take)
          await store.remove([{ name: one.take, kind: 'tool' }])
        }
      }
      const fresh = createExactVectors()
      await fresh.put([...rest.values()])
      const query = unitVector(Float32Array.of(1, 2, 3))
      const [a, b] = [await store.nearest(query, 3, all), await fresh.nearest(query, 3, all)]
      expect(a.nearest).toEqual(b.nearest)
      expect(a.usual).toBeCloseTo(b.usual)
    }),
  )
})
