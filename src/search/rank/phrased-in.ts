import { squashName } from '../words/squash-name.ts'
import { byPoints, type Candidate } from './candidate.ts'
import type { Layer } from './layer.ts'

/** Documents one of whose phrases a query is or holds. */
export interface Phrased {
  readonly candidates: readonly Candidate[]
  /** How sure it is that the first of them is meant. */
  readonly confidence: number
}

/** How sure a query is that is a phrase of one document, and of no other. */
const EQUAL = 0.9
/** The same, of a query that holds a phrase, times the part of its letters that the phrase has. */
const HELD = 0.8
/** A phrase of one word that is less of a query than this is a word like any other. */
const LEAST_WORD = 0.5
/** Words of a query that is looked at: a longer one is told apart by its words. */
const MOST_WORDS = 24
const LONGEST = 400

const BETWEEN = /[^\p{L}\p{M}\p{N}]+/u

/**
 * The documents of the longest phrase that a query is or holds, whatever its case and separators.
 * Where several have it, the one with the most points comes first, and none of them is sure.
 *
 * @param candidateOf a document with its points; undefined when it may not be found
 */
export function phrasedIn(
  query: string,
  layers: readonly Layer[],
  candidateOf: (layer: Layer, slot: number) => Candidate | undefined,
): Phrased | undefined {
  if (query.length > LONGEST || layers.every(({ segment }) => segment.phrases.isEmpty)) {
    return undefined
  }
  const whole = squashName(query)
  for (const part of partsOf(query, whole)) {
    const candidates = layers
      .flatMap((layer) =>
        layer.segment.phrases
          .saying(part)
          .flatMap((slot) => (layer.hidden.has(slot) ? [] : (candidateOf(layer, slot) ?? []))),
      )
      .sort(byPoints)
    if (candidates.length === 0) continue
    const sure = part === whole ? EQUAL : (HELD * part.length) / whole.length
    return { candidates, confidence: sure / candidates.length }
  }
  return undefined
}

/** A query, its neighbouring words, and a single word that is most of it; the longest first. */
function partsOf(query: string, whole: string): readonly string[] {
  const words = query
    .split(BETWEEN)
    .map(squashName)
    .filter((word) => word !== '')
  if (words.length > MOST_WORDS) return [whole]
  const parts = new Set([whole])
  words.forEach((_, from) => {
    let part = ''
    for (const word of words.slice(from)) {
      part += word
      if (part !== word || part.length >= whole.length * LEAST_WORD) parts.add(part)
    }
  })
  return [...parts].sort((a, b) => b.length - a.length)
}
