import { FULL_IMPACT, IMPACT_BITS } from '../index/segment.ts'
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
    const word = index + 1
    for (const { term, weight } of terms) {
      const { data, start, end } = segment.postings(term)
      const unit = weight / FULL_IMPACT
      for (let at = start; at < end; at += 1) {
        const posting = data[at] ?? 0
        const slot = posting >>> IMPACT_BITS
        const value = unit * (posting & FULL_IMPACT)
        const last = lastWord[slot] ?? 0
        if (last === word) {
          const before = ofWord[slot] ?? 0
          if (value <= before) continue
          points[slot] = (points[slot] ?? 0) + value - before
        } else {
          if (last === 0) touched.push(slot)
          points[slot] = (points[slot] ?? 0) + value
          lastWord[slot] = word
        }
        ofWord[slot] = value
      }
    }
  })
  return { points, touched }
}
