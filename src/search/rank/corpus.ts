import { byLikeness, nearTerms, type NearTerm } from '../index/vocabulary.ts'
import type { Layer } from './layer.ts'

const MOST_NEAR = 5

/**
 * Documents about other things that every index is taken to hold as well. A word that all
 * three tools of a small catalog have still says something.
 */
const BACKGROUND = 200

/** Counts over all layers, as one index of all their documents would have them. */
export interface Corpus {
  /** Documents that have a term. */
  frequency(term: string): number
  /** How much a word says that no document has. */
  readonly mostRarity: number
  /** How much it says that a document has a term, by how few have it. */
  rarity(term: string): number
  /** The same, of a term by its number in a layer. */
  rarityIn(layer: Layer, id: number): number
  /** The terms most like a word that no document has. */
  near(word: string): readonly NearTerm[]
}

export function corpusOf(layers: readonly Layer[]): Corpus {
  const size = layers.reduce((sum, { segment, hidden }) => sum + segment.size - hidden.size, 0)
  const inLayer = ({ segment, lost }: Layer, term: string) =>
    segment.frequency(term) - (lost.get(term) ?? 0)
  const frequency = (term: string) => layers.reduce((sum, one) => sum + inLayer(one, term), 0)
  const rarityOf = (having: number) =>
    Math.log(1 + (size + BACKGROUND - having + 0.5) / (having + 0.5))
  const rarity = (term: string) => rarityOf(frequency(term))
  return {
    frequency,
    mostRarity: rarityOf(0),
    rarity,
    rarityIn({ segment, lost }, id) {
      const isAll = layers.length === 1 && lost.size === 0
      return isAll ? rarityOf(segment.having(id)) : rarity(segment.vocabulary.termOf(id))
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
