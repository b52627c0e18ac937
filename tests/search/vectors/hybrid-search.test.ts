import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolDocument } from '../../../src/search/index/tool-document.ts'
import { createToolIndex } from '../../../src/search/rank/tool-index.ts'
import { createMemoryEmbeddings } from '../../../src/search/vectors/embedding-cache.ts'
import {
  createHybridSearch,
  fuse,
  type HybridOptions,
  liftOver,
  meanSimilarityWithout,
  wordsShare,
} from '../../../src/search/vectors/hybrid-search.ts'
import { createVectorIndex } from '../../../src/search/vectors/vector-index.ts'
import { SHOP } from '../some-documents.ts'
import { toyEmbedder } from './toy-embedder.ts'

describe('create hybrid search', () => {
  async function shop(more: Partial<HybridOptions> = {}, embedder = toyEmbedder()) {
    const vectors = createVectorIndex({ embedder })
    const search = createHybridSearch({ documents: SHOP, vectors, ...more })
    await search.prepare()
    const names = async (query: string) =>
      (await search.search(query)).results.map(({ name }) => name)
    return { embedder, vectors, search, names }
  }

  describe('words or vectors', () => {
    test('confident words are used alone, without embedding the query', async () => {
      const { embedder, search } = await shop()
      const before = embedder.asked.length
      const answer = await search.search('create_page')
      expect(answer).toMatchObject({ route: 'lexical', confidence: 1 })
      expect(answer.results[0]?.name).toBe('create_page')
      expect(embedder.asked).toHaveLength(before)
    })

    test('vectors are used alone when words find nothing: a query in another language', async () => {
      const { search } = await shop()
      const answer = await search.search('把钱退款给客户')
      expect(answer).toMatchObject({ route: 'vectors', confidence: 0 })
      expect(answer.results[0]).toMatchObject({ name: 'refund_order', kind: 'tool', matched: [] })
      const back = await search.search('forecast')
      expect(back.results[0]?.name).toBe('getWeather')
    })

    test('in between both are used, weighted by the confidence of words', async () => {
      const { search } = await shop({ bounds: [0, 0.999] })
      const answer = await search.search('a photo of the invoice')
      expect(answer.route).toBe('fused')
      expect(answer.results[0]?.matched.length).toBeGreaterThan(0)
      expect(answer.degraded).toBeUndefined()
    })

    test('all names in a query are kept', async () => {
      const { names } = await shop()
      expect((await names('refund_order, find_image, send_invoice')).slice(0, 3)).toEqual([
        'refund_order',
        'find_image',
        'send_invoice',
      ])
    })

    test('the answer is empty when neither words nor vectors match', async () => {
      const { search } = await shop()
      const answer = await search.search('zzqx vvkw')
      expect(answer).toMatchObject({ results: [], confidence: 0 })
      expect(answer.degraded).toBeUndefined()
    })

    test('results of words are kept when nothing stands out for vectors', async () => {
      const query = 'greenhouse readings, please'
      // Each document has a direction of its own, and the query is a little nearer to the first.
      const directions = new Map<string, number>()
      const embed = (text: string) => {
        const at = directions.get(text) ?? directions.size
        if (text !== query) directions.set(text, at)
        return SHOP.map((_, index) =>
          text === query ? (index === 0 ? 1.2 : 1) : Number(index === at),
        )
      }
      const { search } = await shop({ bounds: [0.99, 0.995] }, toyEmbedder(embed))
      const answer = await search.search(query)
      expect(answer).toMatchObject({ route: 'lexical' })
      expect(answer.results[0]?.name).toBe('humidity_check')
    })

    test('a forbidden document takes no place in the results', async () => {
      const { search } = await shop()
      const { results } = await search.search('退款', {
        limit: 1,
        only: (name) => name !== 'refund_order',
      })
      expect(results.map(({ name }) => name)).not.toContain('refund_order')
      expect(results).toHaveLength(1)
    })
  })

  describe('embedding', () => {
    test('every document is embedded once, and nothing of an unchanged catalog', async () => {
      const cache = createMemoryEmbeddings()
      const first = toyEmbedder()
      const again = toyEmbedder()
      const open = (embedder: typeof first) =>
        createHybridSearch({ documents: SHOP, vectors: createVectorIndex({ embedder, cache }) })
      expect(await open(first).prepare()).toEqual({
        embedded: SHOP.length,
        cached: 0,
        kept: 0,
        removed: 0,
      })
      expect(await open(again).prepare()).toMatchObject({ embedded: 0, cached: SHOP.length })
      expect(again.asked).toEqual([])
    })

    test('models share no embeddings', async () => {
      const cache = createMemoryEmbeddings()
      for (const model of ['one', 'two']) {
        const vectors = createVectorIndex({ embedder: toyEmbedder(undefined, model), cache })
        const { embedded } = await createHybridSearch({ documents: SHOP, vectors }).prepare()
        expect(embedded).toBe(SHOP.length)
      }
    })

    test('only added and changed documents are embedded; removed ones are deleted', async () => {
      const { embedder, search, names } = await shop()
      const before = embedder.asked.length
      search.add({ name: 'print_label', description: 'Print a label for a parcel.' })
      search.add({ ...(SHOP[0] as ToolDocument), description: 'Draw a picture.' })
      search.remove('refund_order')
      expect(await search.prepare()).toMatchObject({
        embedded: 2,
        kept: SHOP.length - 2,
        removed: 1,
      })
      expect(embedder.asked.slice(before).flat()).toHaveLength(2)
      expect(await names('图片')).toContain('create_page')
      expect(await names('退款')).not.toContain('refund_order')
    })

    test('a repeated query is embedded once', async () => {
      const { embedder, search } = await shop()
      const before = embedder.asked.length
      await search.search('退款', { limit: 1 })
      await search.search('退款', { limit: 8 })
      expect(embedder.asked.slice(before)).toEqual([['退款']])
    })

    test('a given index is not changed', async () => {
      const index = createToolIndex(SHOP)
      const { search } = await shop({ index })
      search.add({ name: 'print_label', description: 'Print a label.' })
      search.remove('find_image')
      expect(index.size).toBe(SHOP.length)
      expect(index.search('find_image').confidence).toBe(1)
      expect((await search.search('print label')).results[0]?.name).toBe('print_label')
      expect((await search.search('find_image')).confidence).toBeLessThan(1)
    })

    test('after any changes the answers are those of a new index', async () => {
      const { search } = await shop()
      const fresh = await shop()
      search.remove('getWeather')
      search.remove('billing', 'skill')
      await search.prepare()
      for (const document of SHOP) search.add(document)
      await search.prepare()
      for (const query of ['退款', '天气 please', 'a photo of our page', '网页']) {
        const [one, other] = [await search.search(query), await fresh.search.search(query)]
        expect(one.results.map(({ name }) => name)).toEqual(other.results.map(({ name }) => name))
        expect(one.route).toBe(other.route)
      }
    })
  })

  describe('without vectors', () => {
    test('a query that cannot be embedded is answered by words, with the reason', async () => {
      const { embedder, search } = await shop()
      embedder.fail('The model is asleep.')
      expect(await search.search('greenhouse 退款')).toMatchObject({
        route: 'lexical',
        results: [{ name: 'humidity_check' }],
        degraded: 'Only words were searched: The model is asleep.',
      })
    })

    test('documents that cannot be embedded are still found by words, and are tried again', async () => {
      const embedder = toyEmbedder()
      embedder.fail('No key.')
      const vectors = createVectorIndex({ embedder })
      const search = createHybridSearch({ documents: SHOP, vectors })
      await expect(search.prepare()).rejects.toThrow('No key.')
      expect((await search.search('退款')).degraded).toBe(
        'Only words were searched: 0 of 8 documents have a vector so far. No key.',
      )
      embedder.fail(null)
      await search.prepare()
      expect((await search.search('退款')).results[0]?.name).toBe('refund_order')
    })

    test('a search before the vectors are ready starts embedding and does not wait', async () => {
      const vectors = createVectorIndex({ embedder: toyEmbedder() })
      const search = createHybridSearch({ documents: SHOP, vectors })
      expect((await search.search('退款')).degraded).toContain('0 of 8 documents')
      await search.prepare()
      expect((await search.search('退款')).degraded).toBeUndefined()
    })

    test.each([
      [
        'of other dimensions',
        (text: string) => (text === '退款' ? [1, 2] : [1, 2, 3]),
        '2 numbers',
      ],
      [
        'with a value that is not a number',
        (text: string) => (text === '退款' ? [Number.NaN, 1] : [1, 2]),
        'not a number',
      ],
    ])('a vector %s is refused', async (_what, embed, reason) => {
      const vectors = createVectorIndex({ embedder: toyEmbedder(embed) })
      const search = createHybridSearch({ documents: SHOP, vectors })
      await search.prepare()
      expect((await search.search('退款')).degraded).toContain(reason)
    })

    test('an aborted search is answered by words', async () => {
      const { search } = await shop()
      const answer = await search.search('退款', {
        signal: AbortSignal.abort(new Error('Enough.')),
      })
      expect(answer).toMatchObject({
        route: 'lexical',
        degraded: 'Only words were searched: Enough.',
      })
    })

    test('a closed search is answered by words', async () => {
      const { search } = await shop()
      await search.close()
      expect((await search.search('退款')).degraded).toContain('closed')
      expect((await search.search('create_page')).degraded).toBeUndefined()
    })

    test('without documents nothing is embedded', async () => {
      const embedder = toyEmbedder()
      const search = createHybridSearch({ documents: [], vectors: createVectorIndex({ embedder }) })
      expect(await search.search('anything')).toMatchObject({ results: [] })
      expect(embedder.asked).toEqual([])
    })
  })
})

describe('fuse', () => {
  const word = (name: string, score: number) => ({
    name,
    kind: 'tool' as const,
    score,
    matched: [],
  })

  const vector = (name: string, far: number) => ({ name, kind: 'tool' as const, lift: far })

  const names = (results: readonly { readonly name: string }[]) => results.map(({ name }) => name)

  test.each([
    [0, 0],
    [0.4, 0.5],
    [0.8, 1],
    [1, 1],
  ])('at a confidence of %d words have the part %d', (confidence, part) => {
    expect(wordsShare(confidence, 0.8)).toBeCloseTo(part)
    expect(wordsShare(confidence, 0)).toBe(1)
  })

  test('with share 1 the ranking is that of words, with share 0 that of vectors', () => {
    const words = [word('a', 9), word('b', 5), word('c', 1)]
    const vectors = [vector('c', 0.6), vector('b', 0.5), vector('d', 0.2)]
    expect(names(fuse(words, vectors, 1))).toEqual(['a', 'b', 'c'])
    expect(names(fuse(words, vectors, 0))).toEqual(['c', 'b', 'd'])
    expect(names(fuse(words, vectors, 0.5))).toEqual(['b', 'c', 'a', 'd'])
  })

  test('a low best lift gives vectors little weight', () => {
    const words = [word('a', 9), word('b', 7)]
    expect(names(fuse(words, [vector('b', 0.05)], 0.5))).toEqual(['a', 'b'])
    expect(names(fuse(words, [vector('b', 0.4)], 0.5))).toEqual(['b', 'a'])
  })

  test('a tool and a skill of one name are two documents', () => {
    const skill = { name: 'a', kind: 'skill' as const, lift: 0.5 }
    expect(fuse([word('a', 1)], [skill], 0.5)).toHaveLength(2)
  })

  test('the first of both rankings is first', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'toString', '__proto__'), { minLength: 1 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (all, far, share) => {
          const words = all.map((name, at) => word(name, all.length - at))
          const vectors = all.map((name, at) => vector(name, far / (at + 1)))
          expect(fuse(words, vectors, share)[0]?.name).toBe(all[0])
        },
      ),
    )
  })

  test.each([
    [0.5, 0.15, 0.412],
    [0.85, 0.75, 0.4],
    [0.75, 0.75, 0],
    [0.2, 0.75, 0],
    [-0.3, -0.5, 0],
    [1, 1, 1],
  ])('a similarity of %d over a usual one of %d stands out by %d', (similarity, usual, far) => {
    expect(liftOver(similarity, usual)).toBeCloseTo(far, 3)
  })

  test('a document is not compared with itself', () => {
    expect(meanSimilarityWithout(0.9, 0.5, 2)).toBeCloseTo(0.1)
    expect(meanSimilarityWithout(0.9, 0.9, 1)).toBe(0)
  })
})
