import { expect, test } from 'vitest'
import { evaluate, type EvaluationQuery } from '../../src/search/evaluate.ts'
import type { ToolSearch } from '../../src/search/rank/search-answer.ts'

/** Answers each query with the names written in it. */
const spelled: ToolSearch = {
  search: (query) => ({
    results: query
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => ({ name, kind: 'tool', score: 1, matched: [] })),
    confidence: 0.5,
    route: 'lexical',
  }),
}

const still = () => 0

async function judge(...queries: EvaluationQuery[]) {
  return evaluate(spelled, queries, still)
}

test('one of two names at rank 1 is half of recall@1, and both are all of recall@5', async () => {
  const result = await judge({ query: 'a b x', gold: ['a', 'b'] })
  expect(result).toMatchObject({ recall1: 0.5, recall5: 1, recall10: 1, ndcg10: 1, mrr: 1 })
})

test('a lower rank counts less', async () => {
  const { ndcg10, mrr, recall1, outcomes } = await judge({ query: 'x y a', gold: ['a'] })
  expect(recall1).toBe(0)
  expect(mrr).toBeCloseTo(1 / 3)
  expect(ndcg10).toBeCloseTo(1 / Math.log2(4))
  expect(outcomes[0]).toMatchObject({ found: ['x', 'y', 'a'], places: [3], confidence: 0.5 })
})

test('results after the tenth do not count', async () => {
  const query = 'b c d e f g h i j k a'
  expect(await judge({ query, gold: ['a'] })).toMatchObject({ recall10: 0, ndcg10: 0, mrr: 0 })
})

test('an equally right name counts once', async () => {
  const alt = { a: ['a2'], constructor: ['c2'] }
  expect(await judge({ query: 'a2 a', gold: ['a'], alt })).toMatchObject({ recall1: 1, ndcg10: 1 })
  expect(await judge({ query: 'toString', gold: ['b'], alt: {} })).toMatchObject({ recall5: 0 })
})

test('empty answers have their own precision and recall', async () => {
  const { noMatch, recall5 } = await judge(
    { query: '', gold: [] },
    { query: 'x', gold: [] },
    { query: '', gold: ['a'] },
    { query: 'a', gold: ['a'] },
  )
  expect(noMatch).toEqual({ wanted: 2, given: 2, precision: 0.5, recall: 0.5 })
  expect(recall5).toBe(0.5)
})

test('without empty answers there is no precision', async () => {
  const { noMatch, recall5, latency } = await judge()
  expect(noMatch).toEqual({ wanted: 0, given: 0, precision: null, recall: null })
  expect({ recall5, latency }).toEqual({ recall5: 0, latency: { p50: 0, p99: 0 } })
})

test('latency is in the unit of the clock', async () => {
  let time = 0
  const clock = () => (time += 3)
  const queries = Array.from({ length: 4 }, () => ({ query: 'a', gold: ['a'] }))
  expect((await evaluate(spelled, queries, clock)).latency).toEqual({ p50: 3, p99: 3 })
})
