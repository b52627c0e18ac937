import { fieldsOf, SEARCH_FIELDS } from '../index/search-fields.ts'
import { candidateByTypo, candidatesByName, candidatesByPhrase } from './candidates-by-name.ts'
import { collect, MOST_CANDIDATES } from './collect.ts'
import { corpusOf } from './corpus.ts'
import type { Candidate, Layer } from './layer.ts'
import { planQuery, type QueryWord } from './plan-query.ts'
import { confidenceOf, LEAST_CONFIDENCE, rerank } from './rerank.ts'
import type { IndexSearchOptions, SearchAnswer, SearchMatch } from './search-answer.ts'

const LIMIT = 5

/** How sure it is that a name but for a slip of the finger is the one that was meant. */
const TYPO_CONFIDENCE = 0.9

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
  const most = checkedLimit(limit)
  const corpus = corpusOf(layers)
  const words = planQuery(query, corpus)
  const candidates = gather(layers, words, Math.max(MOST_CANDIDATES, most), only)
  const found = new Map(candidates.map((one) => [one.held, one]))
  const candidateOf = (layer: Layer, slot: number): Candidate | undefined => {
    const held = layer.segment.held(slot)
    if (held === undefined || !only(held.name, held.kind)) return undefined
    return found.get(held) ?? { layer, slot, held, points: 0 }
  }
  const called = candidatesByName(query, layers, candidateOf)
  const phrased = called.length === 0 ? candidatesByPhrase(query, layers, candidateOf) : undefined
  const isCalled = called.length > 0 || phrased !== undefined
  const slip = isCalled ? undefined : candidateByTypo(query, candidates)
  const named = slip === undefined ? (phrased?.candidates ?? called) : [slip]
  const ranked = rerank(candidates, words, corpus)
  const ofWords =
    called.length > 0 ? 1 : slip === undefined ? confidenceOf(ranked, corpus) : TYPO_CONFIDENCE
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
function checkedLimit(limit = LIMIT): number {
  return Number.isNaN(limit) ? LIMIT : Math.max(0, Math.floor(limit))
}

/** In which fields of a document the words of a query are, as the query writes them. */
function matchesOf(
  { layer, slot }: Candidate,
  words: readonly QueryWord[],
): readonly SearchMatch[] {
  const fieldsByTerm = new Map<string, number>()
  layer.segment.eachTerm(slot, (id, fields) => {
    fieldsByTerm.set(layer.segment.vocabulary.termOf(id), fields)
  })
  const found = words.map(({ text, terms }) => ({
    text,
    fields: new Set(terms.flatMap(({ term }) => fieldsOf(fieldsByTerm.get(term) ?? 0))),
  }))
  return SEARCH_FIELDS.flatMap((field) => {
    const terms = found.filter(({ fields }) => fields.has(field)).map(({ text }) => text)
    return terms.length === 0 ? [] : [{ field, terms: [...new Set(terms)] }]
  })
}
