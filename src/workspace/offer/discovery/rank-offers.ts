import * as z from 'zod'
import type { SearchAnswer, SearchResult, ToolSearch } from '../../../search/rank/search-answer.ts'
import type { SharedToolIndex } from '../../../search/rank/tool-index.ts'
import { thrownMessage } from '../../../kernel/thrown-message.ts'
import type { SearchParts } from './discovery-options.ts'
import type { Offers } from './offers.ts'
import { sessionIndex } from './session-index.ts'

/**
 * Ranks the tools and skills that may be offered. Forbidden ones are left out before the limit applies.
 * When the host's own search fails, words alone are ranked, and the answer says so.
 */
export async function rankOffers(
  query: string,
  limit: number,
  offers: Offers,
  { store, context, discovery: { search } }: SearchParts,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const byWords = () =>
    rankWords(sessionIndex(store.getState().state, context), query, limit, offers)
  if (search === null) return byWords()
  try {
    return await searchAllowed(search, query, limit, offers, signal)
  } catch (error) {
    signal.throwIfAborted()
    return {
      ...byWords(),
      degraded: `The search failed and words alone were used: ${thrownMessage(error)}`,
    }
  }
}

/** The most results that are requested, however many of them are forbidden. */
const MAX_REQUESTED = 2_000

/** Returns the allowed results of the host's search. It may ignore `only`, so more results are requested. */
async function searchAllowed(
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
    const isAll = answer.results.length < asked || asked >= MAX_REQUESTED
    if (results.length === limit || isAll)
      return { ...answer, results, confidence: confidenceOf(answer, results) }
  }
}

/** Scales the confidence, which is about the best result, to the best allowed result. */
function confidenceOf(
  { results: [best], confidence }: SearchAnswer,
  kept: readonly SearchResult[],
): number {
  const [first] = kept
  if (best === undefined || first === undefined || first === best) return first ? confidence : 0
  return best.score > 0 ? confidence * Math.min(1, first.score / best.score) : 0
}

/** Rounds with the quick check; most searches need one. */
const QUICK_ROUNDS = 3

/**
 * Ranks by words. Results that turn out to be no offers are left out and the rest is ranked again; then
 * results far below a confident best one are dropped.
 */
function rankWords(
  index: SharedToolIndex,
  query: string,
  limit: number,
  offers: Offers,
): SearchAnswer {
  const isOffer = (name: string, kind: SearchResult['kind']) => offers.of(name, kind) !== null
  for (let round = 0; round < QUICK_ROUNDS; round += 1) {
    const answer = index.search(query, { limit, only: offers.mayBe })
    // Every result is judged here, so that the next round leaves out all that are no offers.
    const kept = answer.results.filter(({ name, kind }) => isOffer(name, kind))
    if (kept.length === answer.results.length) return dropWeakResults(answer)
  }
  return dropWeakResults(index.search(query, { limit, only: isOffer }))
}

/** From this confidence on, the best result is most likely the right one. */
const CONFIDENT = 0.8

/** A result with a smaller share of the best score is not worth its tokens then. */
const MIN_SCORE_SHARE = 0.2

/**
 * Drops results far below a confident best one from an answer that was ranked by words. Tools related to
 * the best one may take the places. Over the tool sets of `bench` it costs no recall.
 */
export function dropWeakResults(answer: SearchAnswer): SearchAnswer {
  const { results, confidence } = answer
  const [best] = results
  if (best === undefined || confidence < CONFIDENT) return answer
  return {
    ...answer,
    results: results.filter(({ score }) => score >= best.score * MIN_SCORE_SHARE),
  }
}

const answerShape = z.object({
  results: z.array(
    z.object({ name: z.string(), kind: z.enum(['tool', 'skill']), score: z.number() }),
  ),
  confidence: z.number().min(0).max(1),
  route: z.enum(['lexical', 'vectors', 'fused']),
  degraded: z.string().optional(),
})

/** Checks the answer of a host's own search; throws with the first problem. */
function checkedAnswer(given: SearchAnswer): SearchAnswer {
  const { error } = answerShape.safeParse(given)
  const [issue] = error?.issues ?? []
  if (issue === undefined) return given
  throw new Error(`its answer is not valid: ${issue.path.join('.')} ${issue.message}`)
}

/** Awaits untrusted work, which may ignore its signal; rejects at the abort, with its reason. */
async function untilAborted<T>(signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise: abort, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work(), abort])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
