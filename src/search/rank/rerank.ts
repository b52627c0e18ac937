import { FIELD_WEIGHTS, fieldsIn } from '../index/search-fields.ts'
import type { Corpus } from './corpus.ts'
import { byPoints, type Candidate, type Layer } from './layer.ts'
import type { QueryWord } from './plan-query.ts'

/** A candidate with its final score. */
interface Ranked {
  readonly candidate: Candidate
  readonly score: number
  /** The score without the points of its owner's best document. */
  readonly own: number
  /** The share of the document's terms that the query contains, from 0 to 1. */
  readonly answered: number
}

/** The bonus of a document all of whose terms are in the query. */
const ANSWERED = 0.75

/** The share of the points of its owner's best document that a document receives. */
const OWNER = 0.5

/**
 * Sorts candidates by their points, by the share of their terms that the query contains, and by the
 * points of the best document of the same owner: a query for one tool of a server often needs other
 * tools of it.
 */
export function rerank(
  candidates: readonly Candidate[],
  words: readonly QueryWord[],
  corpus: Corpus,
): readonly Ranked[] {
  const answered = answeredParts(candidates, words, corpus)
  const own = candidates.map(({ points }, at) => points * (1 + ANSWERED * (answered[at] ?? 0)))
  const best = new Map<string, number>()
  candidates.forEach(({ document }, at) => {
    if (document.owner === '') return
    best.set(document.owner, Math.max(best.get(document.owner) ?? 0, own[at] ?? 0))
  })
  return candidates
    .map((candidate, at) => {
      const points = own[at] ?? 0
      const score = points + OWNER * (best.get(candidate.document.owner) ?? points)
      return { candidate, score, own: points, answered: answered[at] ?? 0 }
    })
    .sort((a, b) => b.score - a.score || byPoints(a.candidate, b.candidate))
}

/** The importance of a term in its document, by the set of its fields. */
const SHARE = Float64Array.from({ length: 256 }, (_, set) =>
  Math.min(
    1,
    fieldsIn(set).reduce((sum, field) => sum + FIELD_WEIGHTS[field].weight, 0),
  ),
)

/** Returns the share of each document's terms that the query contains, weighted by rarity. */
function answeredParts(
  candidates: readonly Candidate[],
  words: readonly QueryWord[],
  corpus: Corpus,
): readonly number[] {
  const asked = new Set(words.flatMap(({ terms }) => terms.map(({ term }) => term)))
  const worths = new Map<Layer, TermWorths>()
  return candidates.map(({ layer, slot }) => {
    const ofLayer = worths.get(layer) ?? termWorths(layer, asked, corpus)
    worths.set(layer, ofLayer)
    let all = 0
    let part = 0
    layer.segment.eachTerm(slot, (id, fields) => {
      const rarity = ofLayer.rarity(id)
      const worth = rarity * (SHARE[fields] ?? 0)
      all += worth
      if (ofLayer.isAsked(id)) part += worth
    })
    return all === 0 ? 0 : part / all
  })
}

/** The properties of a layer's terms, by their numbers. */
interface TermWorths {
  rarity(id: number): number
  isAsked(id: number): boolean
}

function termWorths(layer: Layer, asked: ReadonlySet<string>, corpus: Corpus): TermWorths {
  const { vocabulary } = layer.segment
  const ids = new Set([...asked].map((term) => vocabulary.get(term)))
  const rarities = new Map<number, number>()
  return {
    isAsked: (id) => ids.has(id),
    rarity(id) {
      const known = rarities.get(id)
      if (known !== undefined) return known
      const rarity = corpus.rarityIn(layer, id)
      rarities.set(id, rarity)
      return rarity
    },
  }
}

/** Below this confidence the answer is empty. */
export const LEAST_CONFIDENCE = 0.03

/**
 * Returns the probability, from 0 to 1, that the best candidate by words is the right one. Matches by
 * name or by phrase have their own confidence.
 *
 * It depends on three numbers that are independent of the size of the index:
 *
 * - *strength*: the points of the best candidate, in units of a word that no document contains. One
 *   rare word in a name gives about 0.6; a user's query for the right tool about 1.5.
 * - *lead*: the difference to the next candidate, as a share of its points.
 * - *answered*: the share of its document's terms that the query contains.
 *
 * A logistic curve turns them into a probability. Its four coefficients were fitted on the queries of
 * the bench (all languages, complete sets and samples of 12 and 41 tools), on the same queries without
 * their right tools, and on small talk. A test checks the calibration.
 */
export function rateConfidence(ranked: readonly Ranked[], corpus: Corpus): number {
  const [best, ...others] = ranked
  if (best === undefined) return 0
  const next = others.reduce((most, { own }) => Math.max(most, own), 0)
  const lead = Math.max(0, 1 - next / best.own)
  const strength = best.candidate.points / corpus.mostRarity
  const evidence =
    -0.9 +
    3.5 * lead * Math.min(1, strength) +
    1.5 * Math.log(strength + 0.1) +
    0.5 * Math.log(best.answered + 0.03)
  return 1 / (1 + Math.exp(-evidence))
}
