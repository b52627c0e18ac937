import { FULL_IMPACT, IMPACT_BITS, type PostingList } from '../index/segment.ts'
import type { Layer } from './layer.ts'
import type { QueryWord } from './query-word.ts'

/** Room for the points of one search, used again by the next: searching does not wait in between. */
let points = new Float64Array(0)
let ofWord = new Float64Array(0)
let lastWord = new Int32Array(0)

/**
 * The points of every document by slot, 0 for one that has no word of the query: what it has of
 * each word, of which the best term counts.
 *
 * The board is valid until the next call, and as long as the segment has slots.
 */
export function scoreBoard({ segment }: Layer, words: readonly QueryWord[]): Float64Array {
  if (points.length < segment.slots) {
    const room = Math.ceil(segment.slots * 1.5)
    points = new Float64Array(room)
    ofWord = new Float64Array(room)
    lastWord = new Int32Array(room)
  }
  points.fill(0, 0, segment.slots)
  lastWord.fill(0, 0, segment.slots)
  words.forEach(({ terms }, index) => {
    const [only] = terms
    if (only !== undefined && terms.length === 1) addTerm(segment.postings(only.term), only.weight)
    else {
      for (const { term, weight } of terms) addBest(segment.postings(term), weight, index + 1)
    }
  })
  return points
}

/** Points of a word that is looked up by one term. */
function addTerm({ data, start, end }: PostingList, weight: number): void {
  const unit = weight / FULL_IMPACT
  for (let at = start; at < end; at += 1) {
    const posting = data[at] ?? 0
    const slot = posting >>> IMPACT_BITS
    points[slot] = (points[slot] ?? 0) + unit * (posting & FULL_IMPACT)
  }
}

/** Points of a word that is looked up by several: a document that has several gets the most. */
function addBest({ data, start, end }: PostingList, weight: number, word: number): void {
  const unit = weight / FULL_IMPACT
  for (let at = start; at < end; at += 1) {
    const posting = data[at] ?? 0
    const slot = posting >>> IMPACT_BITS
    const value = unit * (posting & FULL_IMPACT)
    const had = lastWord[slot] === word ? (ofWord[slot] ?? 0) : 0
    if (value <= had) continue
    points[slot] = (points[slot] ?? 0) + value - had
    lastWord[slot] = word
    ofWord[slot] = value
  }
}
