import { fieldsIn, SEARCH_FIELDS } from '../index/search-fields.ts'
import { candidateByTypo, candidatesByName, candidatesByPhrase } from './candidates-by-name.ts'
import { collect, MOST_CANDIDATES } from './collect.ts'
import { corpusOf } from './corpus.ts'
import { type Candidate, findableDocument, type Layer } from './layer.ts'
import { planQuery, type QueryWord } from './plan-query.ts'
import { rateConfidence, LEAST_CONFIDENCE, rerank } from './rerank.ts'
import type { IndexSearchOptions, SearchAnswer, SearchMatch } from './search-answer.ts'

const LIMIT = 5

/** The confidence of a name with a typing mistake. */
const TYPO_CONFIDENCE = 0.9

/** A result needs at least this share of the best candidate's points. */
const LEAST_SHARE = 0.1

/**
 * Ranks the documents of all layers together, like one index of them.
 *
 * @param gather returns the candidates; by default those with the most points of all documents
 */
export function searchLayers(
  layers: readonly Layer[],
  query: string,
  { limit = LIMIT, only = () => true }: IndexSearchOptions = {},
  gather: typeof collect = collect,
): SearchAnswer {
  const most = Number.isNaN(limit) ? LIMIT : Math.max(0, Math.floor(limit))
  const corpus = corpusOf(layers)
  const words = planQuery(query, corpus)
  const candidates = gather(layers, words, Math.max(MOST_CANDIDATES, most), only)
  const found = new Map(candidates.map((one) => [one.document, one]))
  const findCandidate = (layer: Layer, slot: number): Candidate | undefined => {
    const document = findableDocument(layer, slot, only)
    if (document === undefined) return undefined
    return found.get(document) ?? { layer, slot, document, points: 0 }
  }
  const called = candidatesByName(query, layers, findCandidate)
  const phrased = called.length === 0 ? candidatesByPhrase(query, layers, findCandidate) : undefined
  const isCalled = called.length > 0 || phrased !== undefined
  const misspelt = isCalled ? undefined : candidateByTypo(query, candidates)
  const named = misspelt === undefined ? (phrased?.candidates ?? called) : [misspelt]
  const ranked = rerank(candidates, words, corpus)
  const ofWords =
    called.length > 0
      ? 1
      : misspelt === undefined
        ? rateConfidence(ranked, corpus)
        : TYPO_CONFIDENCE
  // The confidence of words applies only to the best candidate by words.
  const agrees =
    phrased === undefined || ranked[0]?.candidate.document === phrased.candidates[0]?.document
  const confidence = Math.max(phrased?.confidence ?? 0, agrees ? ofWords : 0)
  if (confidence < LEAST_CONFIDENCE) return { results: [], confidence, route: 'lexical' }

  const first = ranked[0]?.score ?? 1
  const least = LEAST_SHARE * (candidates[0]?.points ?? 0)
  const isNamed = new Set(named.map(({ document }) => document))
  const all = [
    ...named.map((candidate, at) => ({ candidate, score: first * 2 + named.length - at })),
    ...ranked.filter(
      ({ candidate }) => !isNamed.has(candidate.document) && candidate.points >= least,
    ),
  ]
  const results = all.slice(0, most).map(({ candidate, score }) => ({
    name: candidate.document.name,
    kind: candidate.document.kind,
    score,
    matched: findMatches(candidate, words),
  }))
  return { results, confidence, route: 'lexical' }
}

/** Returns the fields of a document that contain words of the query, as the query spells them. */
function findMatches(
  { layer, slot }: Candidate,
  words: readonly QueryWord[],
): readonly SearchMatch[] {
  const fieldsByTerm = new Map<string, number>()
  layer.segment.eachTerm(slot, (id, fields) => {
    fieldsByTerm.set(layer.segment.vocabulary.termOf(id), fields)
  })
  const found = words.map(({ text, terms }) => ({
    text,
    fields: new Set(terms.flatMap(({ term }) => fieldsIn(fieldsByTerm.get(term) ?? 0))),
  }))
  return SEARCH_FIELDS.flatMap((field) => {
    const terms = found.filter(({ fields }) => fields.has(field)).map(({ text }) => text)
    return terms.length === 0 ? [] : [{ field, terms: [...new Set(terms)] }]
  })
}
