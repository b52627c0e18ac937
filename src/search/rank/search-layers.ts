import type { SearchAnswer } from './search-answer.ts'
import type { IndexSearchOptions } from './tool-index.ts'
import type { Candidate } from './candidate.ts'
import { collect, MOST_CANDIDATES } from './collect.ts'
import { confidenceOf, LEAST_CONFIDENCE } from './confidence.ts'
import { corpusOf } from './corpus.ts'
import type { Layer } from './layer.ts'
import { matchesOf } from './matches.ts'
import { misspelt } from './misspelt.ts'
import { namedIn } from './named-in.ts'
import { phrasedIn } from './phrased-in.ts'
import { planQuery } from './plan-query.ts'
import { rerank } from './rerank.ts'

const LIMIT = 5
/** How sure it is that a name but for a slip of the finger is the one that was meant. */
const SLIP_CONFIDENCE = 0.9
/** A result has at least this part of the points of the best one. */
const LEAST_SHARE = 0.1

/**
 * Rank the documents of all layers together, as one index of them would.
 *
 * @param gather finds the documents that are looked at closely; all that have the most points
 */
export function searchLayers(
  layers: readonly Layer[],
  query: string,
  { limit, only = () => true }: IndexSearchOptions = {},
  gather: typeof collect = collect,
): SearchAnswer {
  const most = wholeLimit(limit)
  const corpus = corpusOf(layers)
  const words = planQuery(query, corpus)
  const candidates = gather(layers, words, Math.max(MOST_CANDIDATES, most), only)
  const found = new Map(candidates.map((one) => [one.held, one]))
  const candidateOf = (layer: Layer, slot: number): Candidate | undefined => {
    const held = layer.segment.held(slot)
    if (held === undefined || !only(held.name, held.kind)) return undefined
    return found.get(held) ?? { layer, slot, held, points: 0 }
  }
  const called = namedIn(query, layers, candidateOf)
  const phrased = called.length === 0 ? phrasedIn(query, layers, candidateOf) : undefined
  const isCalled = called.length > 0 || phrased !== undefined
  const slip = isCalled ? undefined : misspelt(query, candidates)
  const named = slip === undefined ? (phrased?.candidates ?? called) : [slip]
  const ranked = rerank(candidates, words, corpus)
  const ofWords =
    called.length > 0 ? 1 : slip === undefined ? confidenceOf(ranked, corpus) : SLIP_CONFIDENCE
  // Words are sure of their own best one only.
  const agrees = phrased === undefined || ranked[0]?.candidate.held === phrased.candidates[0]?.held
  const confidence = Math.max(phrased?.confidence ?? 0, agrees ? ofWords : 0)
  if (confidence < LEAST_CONFIDENCE) return { results: [], confidence, route: 'lexical' }

  const first = ranked[0]?.score ?? 1
  const least = LEAST_SHARE * (candidates[0]?.points ?? 0)
  const isNamed = new Set(named.map(({ held }) => held))
  const all = [
    ...named.map((candidate, at) => ({ candidate, score: first * 2 + named.length - at })),
    ...ranked.filter(({ candidate }) => !isNamed.has(candidate.held) && candidate.points >= least),
  ]
  const results = all.slice(0, most).map(({ candidate, score }) => ({
    name: candidate.held.name,
    kind: candidate.held.kind,
    score,
    matched: matchesOf(candidate, words),
  }))
  return { results, confidence, route: 'lexical' }
}

/** What is no number is no limit that anybody meant. */
function wholeLimit(limit = LIMIT): number {
  return Number.isNaN(limit) ? LIMIT : Math.max(0, Math.floor(limit))
}
