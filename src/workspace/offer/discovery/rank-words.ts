import type { SearchAnswer, SearchResult } from '../../../search/rank/search-answer.ts'
import type { SharedToolIndex } from '../../../search/rank/tool-index.ts'
import type { Offers } from './offers.ts'
import { withoutWeak } from './without-weak.ts'

/** Rounds with the quick judgement; most searches take one. */
const QUICK_ROUNDS = 3

/**
 * Rank by words. What turns out to be no offer is left out, and the rest ranked anew; then what is far
 * below a sure best result.
 */
export function rankWords(
  index: SharedToolIndex,
  query: string,
  limit: number,
  offers: Offers,
): SearchAnswer {
  const isOffer = (name: string, kind: SearchResult['kind']) => offers.of(name, kind) !== null
  for (let round = 0; round < QUICK_ROUNDS; round += 1) {
    const answer = index.search(query, { limit, only: offers.mayBe })
    // Each is judged, so that the next round leaves out all that are no offers.
    const kept = answer.results.filter(({ name, kind }) => isOffer(name, kind))
    if (kept.length === answer.results.length) return withoutWeak(answer)
  }
  return withoutWeak(index.search(query, { limit, only: isOffer }))
}
