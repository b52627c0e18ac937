import type { SearchAnswer, SearchResult, ToolSearch } from '../../../search/rank/search-answer.ts'
import { thrownMessage } from '../../commands/thrown-message.ts'
import { checkedAnswer } from './checked-answer.ts'
import type { Offers } from './offers.ts'
import { rankWords } from './rank-words.ts'
import type { SearchHost } from './search-host.ts'
import { sessionIndex } from './session-index.ts'
import { untilAborted } from './until-aborted.ts'

interface Ranking {
  readonly query: string
  readonly limit: number
  readonly offers: Offers
  readonly host: SearchHost
  readonly signal: AbortSignal
}

/**
 * Rank what may be offered: what is forbidden is left out before the limit, so that it takes
 * nobody's place. A search of the host's that fails is replaced by words alone, and the answer says so.
 */
export async function rankOffers({
  query,
  limit,
  offers,
  host,
  signal,
}: Ranking): Promise<SearchAnswer> {
  const byWords = () =>
    rankWords(sessionIndex(host.state(), host.surroundings), query, limit, offers)
  const { search } = host.discovery
  if (search === null) return byWords()
  try {
    return await allowed(search, query, limit, offers, signal)
  } catch (error) {
    signal.throwIfAborted()
    return {
      ...byWords(),
      degraded: `The search failed and words alone were used: ${thrownMessage(error)}`,
    }
  }
}

/** Results that are asked for at most, however many of them are forbidden. */
const MOST_ASKED = 2_000

/** The allowed results of a search that perhaps heeds no `only`: it is asked for more. */
async function allowed(
  search: ToolSearch,
  query: string,
  limit: number,
  offers: Offers,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  for (let asked = limit * 4; ; asked *= 8) {
    const request = { limit: asked, only: offers.mayBe, signal }
    const given = await untilAborted(signal, () => search.search(query, request))
    const answer = checkedAnswer(given)
    const results = answer.results
      .filter(({ name, kind }) => offers.of(name, kind) !== null)
      .slice(0, limit)
    const isAll = answer.results.length < asked || asked >= MOST_ASKED
    if (results.length === limit || isAll)
      return { ...answer, results, confidence: sure(answer, results) }
  }
}

/** The confidence is about the best result; the best allowed one deserves its share of it. */
function sure(
  { results: [best], confidence }: SearchAnswer,
  kept: readonly SearchResult[],
): number {
  const [first] = kept
  if (best === undefined || first === undefined || first === best) return first ? confidence : 0
  return best.score > 0 ? confidence * Math.min(1, first.score / best.score) : 0
}
