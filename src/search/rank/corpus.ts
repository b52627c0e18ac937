import { byLikeness, nearTerms, type NearTerm } from '../index/near-terms.ts'
import type { Layer } from './layer.ts'

/** Counts over all layers, as one index of all their documents would have them. */
export interface Corpus {
  readonly size: number
  /** Documents that have a term. */
  frequency(term: string): number
  /** How much it says that a document has a term, by how few have it. */
  rarity(term: string): number
  /** The terms most like a word that no document has. */
  near(word: string): readonly NearTerm[]
}

export function corpusOf(layers: readonly Layer[]): Corpus {
  const size = layers.reduce((sum, { segment, hidden }) => sum + segment.size - hidden.size, 0)
  const inLayer = ({ segment, lost }: Layer, term: string) =>
    segment.frequency(term) - (lost.get(term) ?? 0)
  const frequency = (term: string) => layers.reduce((sum, one) => sum + inLayer(one, term), 0)
  return {
    size,
    frequency,
    rarity(term) {
      const having = frequency(term)
      return Math.log(1 + (size - having + 0.5) / (having + 0.5))
    },
    near(word) {
      const all = layers.flatMap((layer) => {
        const { vocabulary } = layer.segment
        const candidates = [...vocabulary.sharingGrams(word)]
        return nearTerms(
          word,
          candidates.filter((term) => inLayer(layer, term) > 0),
        )
      })
      const unique = new Map(all.map((one) => [one.term, one]))
      return [...unique.values()].sort(byLikeness).slice(0, layers.length === 1 ? all.length : 5)
    },
  }
}
