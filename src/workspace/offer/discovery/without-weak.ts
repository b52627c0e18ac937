import type { SearchAnswer } from '../../../search/rank/search-answer.ts'

/** From here on the best result is most likely what was asked for. */
const SURE = 0.8
/** A result with less of the score of the best one is not worth its tokens then. */
const LEAST_SHARE = 0.2

/**
 * An answer of the words' own ranking without what is far below a sure best result: tools that go
 * with that one take the places, or nobody does. Over the tool sets of `bench` it costs no recall.
 */
export function withoutWeak(answer: SearchAnswer): SearchAnswer {
  const { results, confidence } = answer
  const [best] = results
  if (best === undefined || confidence < SURE) return answer
  return { ...answer, results: results.filter(({ score }) => score >= best.score * LEAST_SHARE) }
}
