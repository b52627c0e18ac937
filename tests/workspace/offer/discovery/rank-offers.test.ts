import { expect, test } from 'vitest'
import { dropWeakResults } from '../../../../src/workspace/offer/discovery/rank-offers.ts'

const answer = (confidence: number, ...scores: number[]) => ({
  results: scores.map((score, at) => ({
    name: `t${at}`,
    kind: 'tool' as const,
    score,
    matched: [],
  })),
  confidence,
  route: 'lexical' as const,
})

test.each<{ what: string; confidence: number; scores: number[]; left: number[] }>([
  { what: 'far below a sure one', confidence: 0.9, scores: [10, 4, 1.9, 1], left: [10, 4] },
  { what: 'a fifth of a sure one', confidence: 0.8, scores: [10, 2], left: [10, 2] },
  { what: 'far below an unsure one', confidence: 0.79, scores: [10, 1], left: [10, 1] },
  { what: 'of several names', confidence: 1, scores: [22, 21, 20, 3], left: [22, 21, 20] },
  { what: 'nothing', confidence: 0, scores: [], left: [] },
])('what is left of results $what', ({ confidence, scores, left }) => {
  const given = answer(confidence, ...scores)
  const cut = dropWeakResults(given)
  expect(cut.results.map(({ score }) => score)).toEqual(left)
  expect(cut).toMatchObject({ confidence, route: 'lexical' })
})
