import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { describe, expect, test } from 'vitest'
import { embedderFromAiSdk } from '../../../../src/connections/wires/embeddings/embedder-from-ai-sdk.ts'
import { embedderFromUrl } from '../../../../src/connections/wires/embeddings/embedder-from-url.ts'
import type { EmbedderOptions } from '../../../../src/connections/wires/embeddings/create-embedding-requests.ts'
import type { Embedder } from '../../../../src/search/vectors/embedder.ts'
import { createHybridSearch } from '../../../../src/search/vectors/hybrid-search.ts'
import { createVectorIndex } from '../../../../src/search/vectors/vector-index.ts'
import { SHOP } from '../../../search/some-documents.ts'
import { TOY_DIMENSIONS } from '../../../search/vectors/toy-embedding.ts'
import { embeddingServer, type Behaviour } from './embedding-server.ts'

type Make = (url: string, options?: EmbedderOptions) => Embedder

const ways: readonly [way: string, make: Make][] = [
  [
    'the AI SDK',
    (url, options) => {
      const provider = createOpenAICompatible({ name: 'local', baseURL: url, apiKey: 'secret' })
      return embedderFromAiSdk(provider.embeddingModel('toy'), options)
    },
  ],
  ['a URL', (url, options) => embedderFromUrl({ url, model: 'toy', key: 'secret', ...options })],
]

const query = { purpose: 'query' } as const
const document = { purpose: 'document' } as const

describe.each(ways)('over real HTTP, by %s', (_way, make) => {
  test('texts become vectors in their order, with the key', async () => {
    const server = await embeddingServer()
    const vectors = await make(server.url).embed(['refund', '退款', 'parcel'], document)
    expect(vectors.map(({ length }) => length)).toEqual(Array(3).fill(TOY_DIMENSIONS))
    expect(vectors[0]).toBeInstanceOf(Float32Array)
    expect(server.requests).toEqual([['refund', '退款', 'parcel']])
    expect(server.keys).toEqual(['Bearer secret'])
  })

  test('a catalog takes one request, a search one, the same search none', async () => {
    const server = await embeddingServer()
    const vectors = createVectorIndex({ embedder: make(server.url) })
    const search = createHybridSearch({ documents: SHOP, vectors })
    await search.prepare()
    expect(server.requests).toHaveLength(1)
    const answer = await search.search('退款')
    expect(answer.route).toBe('vectors')
    expect(answer.results[0]?.name).toBe('refund_order')
    await search.search('退款')
    expect(server.requests).toHaveLength(2)
  })

  test('queries and documents get what their model wants before them', async () => {
    const server = await embeddingServer()
    const embedder = make(server.url, { prefix: { query: 'query: ', document: 'passage: ' } })
    await embedder.embed(['a'], query)
    await embedder.embed(['a'], document)
    expect(server.requests).toEqual([['query: a'], ['passage: a']])
    expect(embedder.model).not.toBe(make(server.url).model)
  })

  test('a server that stumbles is asked again', async () => {
    const server = await embeddingServer()
    server.next({ kind: 'status', status: 503 })
    await expect(make(server.url).embed(['a'], query)).resolves.toHaveLength(1)
    expect(server.requests).toHaveLength(2)
  })

  test('a short rate limit is waited for', async () => {
    const server = await embeddingServer()
    server.next({ kind: 'status', status: 429, headers: { 'retry-after-ms': '20' } })
    await expect(make(server.url).embed(['a'], query)).resolves.toHaveLength(1)
    expect(server.requests).toHaveLength(2)
  })

  test('a long rate limit fails at once, and while it lasts nothing is asked', async () => {
    const server = await embeddingServer()
    server.next({ kind: 'status', status: 429, headers: { 'retry-after': '30' } })
    const embedder = make(server.url)
    const limited = { code: 'EMBEDDINGS_LIMITED', message: expect.stringMatching(/another \d+ s/) }
    await expect(embedder.embed(['a'], query)).rejects.toMatchObject(limited)
    await expect(embedder.embed(['a'], query)).rejects.toMatchObject(limited)
    expect(server.requests).toHaveLength(1)
  })

  test('a rate limit until a date is understood, and one without end is bounded', async () => {
    const server = await embeddingServer()
    const date = new Date(Date.now() + 86_400_000).toUTCString()
    server.next({ kind: 'status', status: 429, headers: { 'retry-after': date } })
    await expect(make(server.url).embed(['a'], query)).rejects.toMatchObject({
      code: 'EMBEDDINGS_LIMITED',
      facts: { seconds: 60 },
    })
  })

  test('a server that hangs is left when the time is up, and its request ended', async () => {
    const server = await embeddingServer()
    const embedder = make(server.url, { timeoutMs: { query: 50 } })
    // On a busy machine the time may be up before the request reaches the server.
    while (server.requests.length === 0) {
      server.next({ kind: 'hang' })
      await expect(embedder.embed(['a'], query)).rejects.toMatchObject({ code: 'EMBEDDINGS_LATE' })
    }
    await expect.poll(() => server.abandoned).toBeGreaterThan(0)
  })

  test('an abort ends the request, with the reason that was given', async () => {
    const server = await embeddingServer()
    server.next({ kind: 'hang' })
    const controller = new AbortController()
    const asked = make(server.url).embed(['a'], { ...query, signal: controller.signal })
    const ended = asked.catch((reason: unknown) => reason)
    await expect.poll(() => server.requests.length).toBe(1)
    controller.abort(new Error('Enough.'))
    expect(await ended).toEqual(new Error('Enough.'))
    await expect.poll(() => server.abandoned).toBe(1)
  })

  test('what is aborted beforehand asks nothing', async () => {
    const server = await embeddingServer()
    const signal = AbortSignal.abort(new Error('Enough.'))
    await expect(make(server.url).embed(['a'], { ...query, signal })).rejects.toThrow('Enough.')
    expect(server.requests).toEqual([])
  })

  test.each<[string, readonly Behaviour[], number]>([
    [
      'fails three times',
      Array.from({ length: 3 }, () => ({ kind: 'status', status: 500 }) as const),
      3,
    ],
    ['knows no such model', [{ kind: 'status', status: 404 }], 1],
    ['refuses the key', [{ kind: 'status', status: 401 }], 1],
    ['talks nonsense', [{ kind: 'garbage' }], 1],
  ])('a server that %s leaves words, and the answer says so', async (_what, behaviours, asked) => {
    const server = await embeddingServer()
    const vectors = createVectorIndex({ embedder: make(server.url) })
    const search = createHybridSearch({ documents: SHOP, vectors })
    await search.prepare()
    server.next(...behaviours)
    const answer = await search.search('greenhouse 退款')
    expect(answer).toMatchObject({ route: 'lexical', results: [{ name: 'humidity_check' }] })
    expect(answer.degraded).toMatch(/^Only words were searched: The model ".*toy" failed: ./)
    expect(answer.degraded).not.toContain('secret')
    expect(server.requests).toHaveLength(1 + asked)
  })

  test.each<[string, Behaviour]>([
    ['other dimensions', { kind: 'ok', dimensions: 3 }],
    ['no vector', { kind: 'short' }],
  ])('%s for a query leaves words', async (_what, behaviour) => {
    const server = await embeddingServer()
    const vectors = createVectorIndex({ embedder: make(server.url) })
    const search = createHybridSearch({ documents: SHOP, vectors })
    await search.prepare()
    server.next(behaviour)
    expect((await search.search('退款')).degraded).toMatch(
      /returned (0 vectors|a vector of 3)|received 0/,
    )
  })
})

test('an address without a server is reported with the address', async () => {
  const embedder = embedderFromUrl({ url: 'http://127.0.0.1:1/v1', model: 'toy' })
  await expect(embedder.embed(['a'], query)).rejects.toThrow('no connection to 127.0.0.1:1')
  expect(() => embedderFromUrl({ url: 'localhost', model: 'toy' })).toThrow(
    '"localhost" is not a URL',
  )
})

test('many texts go in several requests', async () => {
  const server = await embeddingServer()
  const texts = Array.from({ length: 130 }, (_, at) => `text ${at}`)
  const vectors = await embedderFromUrl({ url: server.url, model: 'toy' }).embed(texts, document)
  expect(vectors).toHaveLength(130)
  expect(server.requests.map(({ length }) => length)).toEqual([64, 64, 2])
})
