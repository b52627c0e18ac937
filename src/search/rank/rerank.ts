import { FIELD_WEIGHTS, fieldsOf } from '../index/search-fields.ts'
import type { Corpus } from './corpus.ts'
import { byPoints, type Candidate, type Layer } from './layer.ts'
import type { QueryWord } from './plan-query.ts'

/** A candidate with its place among the others taken into account. */
interface Ranked {
  readonly candidate: Candidate
  readonly score: number
  /** The score before its owner's best one lifted it. */
  readonly own: number
  /** Part of what the document says that the query asks for, from 0 to 1. */
  readonly answered: number
}

/** What it adds to a document that the query asks for all it says. */
const ANSWERED = 0.75

/** What a document gets of the points of the best one of its owner. */
const OWNER = 0.5

/**
 * Order candidates by their points and by two things that only show beside the others: how
 * much of the document was asked for, and how well the best of the same owner does. A request
 * that needs one tool of a server often needs its neighbours.
 */
export function rerank(
  candidates: readonly Candidate[],
  words: readonly QueryWord[],
  corpus: Corpus,
): readonly Ranked[] {
  const answered = answeredParts(candidates, words, corpus)
  const own = candidates.map(({ points }, at) => points * (1 + ANSWERED * (answered[at] ?? 0)))
  const best = new Map<string, number>()
  candidates.forEach(({ held }, at) => {
    if (held.owner === '') return
    best.set(held.owner, Math.max(best.get(held.owner) ?? 0, own[at] ?? 0))
  })
  return candidates
    .map((candidate, at) => {
      const points = own[at] ?? 0
      const score = points + OWNER * (best.get(candidate.held.owner) ?? points)
      return { candidate, score, own: points, answered: answered[at] ?? 0 }
    })
    .sort((a, b) => b.score - a.score || byPoints(a.candidate, b.candidate))
}

/** How much a term stands for its document, by the set of fields it is in. */
const SHARE = Float64Array.from({ length: 256 }, (_, set) =>
  Math.min(
    1,
    fieldsOf(set).reduce((sum, field) => sum + FIELD_WEIGHTS[field].weight, 0),
  ),
)

/** How much of what each document says is asked for, from 0 to 1, by rarity. */
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

/** What is needed of the terms of a layer, by their numbers there. */
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

/** Below this confidence the answer is that nothing fits. */
export const LEAST_CONFIDENCE = 0.03

/**
 * How likely the best candidate by words is what was asked for, from 0 to 1. One that was called by
 * name, or by a phrase, is not judged here.
 *
 * Judged by three things, each a number that does not depend on how large the index is:
 *
 * - *strength*: the points of the best candidate, in words that no document has. One rare
 *   word in a name gives about 0.6; a request in a user's words for the right tool about 1.5.
 * - *lead*: the part of its points that it is ahead of the next one by.
 * - *answered*: the part of what its document says that the request asks for.
 *
 * A logistic curve over the three makes a likelihood of them. Its four numbers were fitted on
 * the bench's requests (all languages, whole sets and samples of 12 and 41 tools), on the same
 * requests with their right tools taken away, and on small talk; a test holds the calibration.
 */
export function confidenceOf(ranked: readonly Ranked[], corpus: Corpus): number {
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
