import { beforeAll, expect, test } from 'vitest'
import { createToolIndex } from '../../src/search/rank/tool-index.ts'
import type { EvaluationQuery } from '../../src/search/evaluate.ts'
import { readSet } from './read-set.ts'

const SETS = [
  ...'livemcp bfcl stabletool_g1 metatool_phrases'.split(' '),
  ...'acebench_en acebench_zh functionchat_ko bfcl_ar'.split(' '),
]
const EVERY = 6

interface Judged {
  readonly confidence: number
  readonly isRight: boolean
}

/** Requests with their tools there, and the same with those taken away. */
const there: Judged[] = []
const away: Judged[] = []

beforeAll(() => {
  for (const name of SETS) {
    const { documents, queries } = readSet(name, EVERY)
    const index = createToolIndex(documents)
    for (const query of queries) {
      const right = rightNames(query)
      const answer = index.search(query.query)
      const isRight = right.has(answer.results[0]?.name ?? '')
      there.push({ confidence: answer.confidence, isRight })
      const without = index.search(query.query, { only: (one) => !right.has(one) })
      away.push({ confidence: without.confidence, isRight: false })
    }
  }
})

function rightNames({ gold, alt = {} }: EvaluationQuery): ReadonlySet<string> {
  return new Set(gold.flatMap((name) => [name, ...(alt[name] ?? [])]))
}

function partRight(judged: readonly Judged[], from: number, to: number): number {
  const within = judged.filter(({ confidence }) => confidence >= from && confidence < to)
  expect(within.length).toBeGreaterThan(40)
  return within.filter(({ isRight }) => isRight).length / within.length
}

test('a confidence above 0.8 is right nine times in ten', () => {
  expect(partRight(there, 0.8, 1.01)).toBeGreaterThan(0.9)
})

test('a confidence below 0.1 is right less than one time in two', () => {
  expect(partRight(there, 0, 0.1)).toBeLessThan(0.5)
})

test('the higher the confidence, the more often the answer is right', () => {
  const bounds = [0, 0.1, 0.3, 0.5, 0.8, 1.01]
  const parts = bounds.slice(1).map((to, at) => partRight(there, bounds[at] ?? 0, to))
  expect(parts).toEqual(parts.toSorted((a, b) => a - b))
})

test('confidence is not too high if the right tool exists', () => {
  for (const [from, to] of [
    [0.1, 0.3],
    [0.3, 0.5],
    [0.5, 0.8],
    [0.8, 1.01],
  ] as const) {
    expect(partRight(there, from, to)).toBeGreaterThan(from)
  }
})

test('without the right tools it is rarely confident', () => {
  const sure = away.filter(({ confidence }) => confidence > 0.8)
  expect(away.length).toBeGreaterThan(300)
  expect(sure.length / away.length).toBeLessThan(0.06)
})
