import { FIELD_WEIGHTS, fieldsOf } from '../index/search-fields.ts'
import type { Candidate } from './candidate.ts'
import type { Corpus } from './corpus.ts'
import type { Layer } from './layer.ts'
import type { QueryWord } from './query-word.ts'

/** How much a term stands for its document, by the set of fields it is in. */
const SHARE = Float64Array.from({ length: 256 }, (_, set) =>
  Math.min(
    1,
    fieldsOf(set).reduce((sum, field) => sum + FIELD_WEIGHTS[field].weight, 0),
  ),
)

/** How much of what each document says is asked for, from 0 to 1, by rarity. */
export function answeredParts(
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
