import { FULL_IMPACT, IMPACT_BITS, type PostingList } from '../index/segment.ts'
import type { Layer } from './layer.ts'
import type { QueryWord } from './query-word.ts'

/** The points of every document that has a word of the query, by slot. */
export interface ScoreBoard {
  readonly points: Float64Array
  readonly touched: readonly number[]
}

/** Room for the points of one search, used again by the next: searching does not wait in between. */
let points = new Float64Array(0)
let ofWord = new Float64Array(0)
let lastWord = new Int32Array(0)

/**
 * Add up, for every document, what it has of each word: the best of the word's terms counts.
 *
 * The board is valid until the next call.
 */
export function scoreBoard({ segment }: Layer, words: readonly QueryWord[]): ScoreBoard {
  if (points.length < segment.slots) {
    const room = Math.ceil(segment.slots * 1.5)
    points = new Float64Array(room)
    ofWord = new Float64Array(room)
    lastWord = new Int32Array(room)
  }
  points.fill(0, 0, segment.slots)
  lastWord.fill(0, 0, segment.slots)
  const touched: number[] = []
  words.forEach(({ terms }, index) => {
    const [only] = terms
    if (only !== undefined && terms.length === 1)
      addTerm(segment.postings(only.term), only.weight, touched)
    else
      for (const { term, weight } of terms)
        addBest(segment.postings(term), weight, index + 1, touched)
  })
  return { points, touched }
}

/** Points of a word that is looked up by one term. */
function addTerm({ data, start, end }: PostingList, weight: number, touched: number[]): void {
  const unit = weight / FULL_IMPACT
  for (let at = start; at < end; at += 1) {
    const posting = data[at] ?? 0
    const slot = posting >>> IMPACT_BITS
    const before = points[slot] ?? 0
    if (before === 0) touched.push(slot)
    points[slot] = before + unit * (posting & FULL_IMPACT)
  }
}

/** Points of a word that is looked up by several: a document that has several gets the most. */
function addBest(
  { data, start, end }: PostingList,
  weight: number,
  word: number,
  touched: number[],
): void {
  const unit = weight / FULL_IMPACT
  for (let at = start; at < end; at += 1) {
    const posting = data[at] ?? 0
    const slot = posting >>> IMPACT_BITS
    const value = unit * (posting & FULL_IMPACT)
    const before = points[slot] ?? 0
    const had = lastWord[slot] === word ? (ofWord[slot] ?? 0) : 0
    if (value <= had) continue
    if (before === 0) touched.push(slot)
    points[slot] = before + value - had
    lastWord[slot] = word
    ofWord[slot] = value
  }
}
