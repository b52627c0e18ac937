import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openEmbeddingFile } from '../../../../src/connections/wires/embeddings/open-embedding-file.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import { createVectorIndex } from '../../../../src/search/vectors/vector-index.ts'
import { SHOP } from '../../../search/some-documents.ts'
import { toyEmbedder } from '../../../search/vectors/toy-embedder.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'

async function settle(file: string, model = 'toy') {
  const cache = await openEmbeddingFile(file)
  const embedder = toyEmbedder(undefined, model)
  const vectors = createVectorIndex({ embedder, cache })
  for (const document of SHOP) vectors.add(document)
  const report = await vectors.settle()
  await cache.close()
  return { ...report, requests: embedder.asked.length }
}

test('the next process embeds nothing of an unchanged catalog', async () => {
  const file = join(await temporaryFolder(), 'below', 'embeddings.sqlite')
  expect(await settle(file)).toMatchObject({ embedded: SHOP.length, requests: 1 })
  expect(await settle(file)).toMatchObject({ embedded: 0, cached: SHOP.length, requests: 0 })
  expect(await settle(file, 'another')).toMatchObject({ embedded: SHOP.length, requests: 1 })
})

test('a vector comes back to the last bit', async () => {
  const cache = await openEmbeddingFile(join(await temporaryFolder(), 'embeddings.sqlite'))
  const hash = textHash('a')
  const vector = Float32Array.of(0.1, -3e-30, 7)
  await cache.set('toy', new Map([[hash, vector]]))
  expect(await cache.get('toy', [hash, textHash('b')])).toEqual(new Map([[hash, vector]]))
  expect(await cache.get('other', [hash])).toEqual(new Map())
  await cache.close()
})

test('two processes write side by side', async () => {
  const file = join(await temporaryFolder(), 'embeddings.sqlite')
  const [one, other] = await Promise.all([openEmbeddingFile(file), openEmbeddingFile(file)])
  const vector = Float32Array.of(1)
  await Promise.all([
    one.set('toy', new Map([[textHash('a'), vector]])),
    other.set('toy', new Map([[textHash('b'), vector]])),
  ])
  expect((await one.get('toy', [textHash('a'), textHash('b')])).size).toBe(2)
  await Promise.all([one.close(), other.close()])
})

test('of too many the oldest are forgotten', async () => {
  const file = join(await temporaryFolder(), 'embeddings.sqlite')
  const cache = await openEmbeddingFile(file, { most: 2 })
  const hashes = ['a', 'b', 'c'].map(textHash)
  for (const hash of hashes) await cache.set('toy', new Map([[hash, Float32Array.of(1)]]))
  expect([...(await cache.get('toy', hashes)).keys()]).toEqual(hashes.slice(1))
  await cache.close()
})

test('a file that is something else is refused, and stays', async () => {
  const file = join(await temporaryFolder(), 'embeddings.sqlite')
  const diary = 'Dear diary, this is no database at all. '.repeat(40)
  await writeFile(file, diary)
  await expect(openEmbeddingFile(file)).rejects.toMatchObject({
    code: 'EMBEDDING_CACHE_DAMAGED',
    hint: expect.stringContaining('Give another file'),
  })
  expect(await readFile(file, 'utf8')).toBe(diary)
})

test('a cache that fails costs embeddings, and nothing else', async () => {
  const embedder = toyEmbedder()
  const cache = {
    get: async () => Promise.reject(new Error('broken')),
    set: async () => Promise.reject(new Error('broken')),
  }
  const vectors = createVectorIndex({ embedder, cache })
  vectors.add({ name: 'a', description: 'A page.' })
  expect(await vectors.settle()).toMatchObject({ embedded: 1 })
  expect((await vectors.nearest('网页', { limit: 1 })).nearest[0]?.name).toBe('a')
})
