import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openLanceVectors } from '../../../../src/connections/wires/embeddings/open-lance-vectors.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import {
  createExactVectors,
  type VectorEntry,
  type VectorStore,
} from '../../../../src/search/vectors/vector-store.ts'
import { createHybridSearch } from '../../../../src/search/vectors/hybrid-search.ts'
import { unitVector } from '../../../../src/search/vectors/embed-texts.ts'
import { createVectorIndex } from '../../../../src/search/vectors/vector-index.ts'
import { SHOP } from '../../../search/some-documents.ts'
import { toyEmbedder } from '../../../search/vectors/toy-embedder.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'

const all = () => true

function entry(name: string, numbers: readonly number[], kind: 'tool' | 'skill' = 'tool') {
  const vector = unitVector(Float32Array.from(numbers))
  return { name, kind, hash: textHash(numbers.join()), vector } satisfies VectorEntry
}

async function lance(folder?: string): Promise<VectorStore> {
  return openLanceVectors({ folder: folder ?? (await temporaryFolder()), model: 'toy' })
}

test('a catalog in LanceDB answers as one in memory does, and is not embedded again', async () => {
  const folder = await temporaryFolder()
  const open = async () => {
    const embedder = toyEmbedder()
    const vectors = createVectorIndex({ embedder, store: await lance(folder) })
    return { embedder, search: createHybridSearch({ documents: SHOP, vectors }) }
  }
  const first = await open()
  expect(await first.search.prepare()).toMatchObject({ embedded: SHOP.length })
  const exact = createHybridSearch({
    documents: SHOP,
    vectors: createVectorIndex({ embedder: toyEmbedder() }),
  })
  await exact.prepare()
  for (const query of ['退款', '天气', '图片 网页']) {
    const [one, other] = [await first.search.search(query), await exact.search(query)]
    expect(one.results.map(({ name }) => name)).toEqual(other.results.map(({ name }) => name))
    expect(one).toMatchObject({ route: other.route, confidence: other.confidence })
  }
  await first.search.close()

  const again = await open()
  expect(await again.search.prepare()).toEqual({
    embedded: 0,
    cached: 0,
    kept: SHOP.length,
    removed: 0,
  })
  expect(again.embedder.asked).toEqual([])
  again.search.remove('refund_order')
  expect(await again.search.prepare()).toMatchObject({ kept: SHOP.length - 1, removed: 1 })
  await again.search.close()
})

test.each([
  ['memory', async () => createExactVectors()],
  ['LanceDB', lance],
])('in %s, one is put in, replaced and taken out by name and kind', async (_where, make) => {
  const store = await make()
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

test.each([
  ['memory', async () => createExactVectors()],
  ['LanceDB', lance],
])('in %s, the nearest that may be found are found behind many that may not', async (_w, make) => {
  const store = await make()
  const many = Array.from({ length: 60 }, (_, at) => entry(`no ${at}`, [1, at / 1_000]))
  await store.put([...many, entry('yes', [0.2, 1])])
  const only = (name: string) => !name.startsWith('no')
  const { nearest } = await store.nearest(Float32Array.of(1, 0), 1, only)
  expect(nearest.map(({ name }) => name)).toEqual(['yes'])
  await store.close()
})

test('a vector of another length is refused before LanceDB would take it', async () => {
  const store = await lance()
  await store.put([entry('a', [1, 0, 0])])
  await expect(store.put([entry('b', [1, 0])])).rejects.toMatchObject({ code: 'EMBEDDINGS_WRONG' })
  await store.close()
})

test('without the package it says what to install', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    registerHooks({
      resolve(specifier, context, next) {
        return next(specifier.startsWith('@lancedb/') ? 'not-installed' : specifier, context)
      },
    })
    const { openLanceVectors } = await import('./src/connections/wires/embeddings/open-lance-vectors.ts')
    const error = await openLanceVectors({ folder: 'nowhere', model: 'toy' }).catch((one) => one)
    console.log(error.code, error.hint)
  `
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script])
  expect(stdout).toMatch(/^PACKAGE_MISSING Install it \(npm install @lancedb\/lancedb@/)
})

test('each model has vectors of its own in one folder', async () => {
  const folder = await temporaryFolder()
  const one = await openLanceVectors({ folder, model: 'one' })
  await one.put([entry('a', [1, 0, 0])])
  const two = await openLanceVectors({ folder, model: 'two' })
  expect(await two.contents()).toEqual([])
  await two.put([entry('a', [1, 0])])
  await Promise.all([one.close(), two.close()])
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
