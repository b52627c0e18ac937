import { byLikeness, nearTerms, type NearTerm } from '../index/vocabulary.ts'
import type { Layer } from './layer.ts'

const MOST_NEAR = 5

/**
 * Assumed documents about other subjects in every index. With them, a word that all three tools of a
 * small catalog contain still has some weight.
 */
const BACKGROUND = 200

/** Counts over all layers, equal to those of one index with all their documents. */
export interface Corpus {
  /** Returns the number of documents that contain a term. */
  frequency(term: string): number
  /** The weight of a word that no document contains. */
  readonly mostRarity: number
  /** Returns the weight of a term: the higher, the fewer documents contain it. */
  rarity(term: string): number
  /** The same, for a term by its number in a layer. */
  rarityIn(layer: Layer, id: number): number
  /** Returns the terms that are most similar to an unknown word. */
  near(word: string): readonly NearTerm[]
}

export function corpusOf(layers: readonly Layer[]): Corpus {
  const size = layers.reduce((sum, { segment, hidden }) => sum + segment.size - hidden.size, 0)
  const inLayer = ({ segment, lost }: Layer, term: string) =>
    segment.frequency(term) - (lost.get(term) ?? 0)
  const frequency = (term: string) => layers.reduce((sum, one) => sum + inLayer(one, term), 0)
  const rarityAt = (having: number) =>
    Math.log(1 + (size + BACKGROUND - having + 0.5) / (having + 0.5))
  const rarity = (term: string) => rarityAt(frequency(term))
  return {
    frequency,
    mostRarity: rarityAt(0),
    rarity,
    rarityIn({ segment, lost }, id) {
      const isAll = layers.length === 1 && lost.size === 0
      return isAll ? rarityAt(segment.frequencyOf(id)) : rarity(segment.vocabulary.termOf(id))
    },
    near(word) {
      const all = layers.flatMap((layer) =>
        nearTerms(word, layer.segment.vocabulary).filter(({ term }) => inLayer(layer, term) > 0),
      )
      const unique = new Map(all.map((one) => [one.term, one]))
      return [...unique.values()].sort(byLikeness).slice(0, MOST_NEAR)
    },
  }
}
