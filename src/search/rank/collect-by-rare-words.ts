import { FULL_IMPACT, IMPACT_BITS, type PostingList } from '../index/segment.ts'
import { collect } from './collect.ts'
import { byPoints, type Candidate, type Layer } from './layer.ts'
import type { QueryWord } from './plan-query.ts'

/** Up to so many documents all of them are looked at. */
export const MOST_FULLY_SCANNED = 2_000

/** Documents that are looked at of more, those with the rarest words. */
const MOST_SCANNED = 500

/** Room for one collection, used again by the next, as that of the score board. */
let room = { mark: new Int32Array(0), points: new Float64Array(0), ofWord: new Float64Array(0) }

let collection = 0

/** A word of a query with the lists it is looked up in. */
interface WordLists {
  readonly lists: readonly { readonly postings: PostingList; readonly weight: number }[]
}

/**
 * As `collect`, of the documents that have the rarest words of the query, some 500 of them: where
 * there are more than 2,000, so that the time for one search does not grow with their number.
 */
export const collectByRareWords: typeof collect = (layers, words, most, only) => {
  if (layers.every(({ segment }) => segment.size <= MOST_FULLY_SCANNED)) {
    return collect(layers, words, most, only)
  }
  return layers
    .flatMap((layer) => candidatesOf(layer, words, only))
    .sort(byPoints)
    .slice(0, most)
}

function candidatesOf(
  layer: Layer,
  words: readonly QueryWord[],
  only: Parameters<typeof collect>[3],
): readonly Candidate[] {
  const slots = scored(layer, words)
  return Array.from(slots).flatMap((slot) => {
    const held = layer.hidden.has(slot) ? undefined : layer.segment.held(slot)
    if (held === undefined || !only(held.name, held.kind)) return []
    return [{ layer, slot, held, points: room.points[slot] ?? 0 }]
  })
}

/** The slots that can be among the best, with their points on the board. */
function scored({ segment }: Layer, words: readonly QueryWord[]): Int32Array {
  if (room.mark.length < segment.slots) {
    const size = Math.ceil(segment.slots * 1.5)
    room = {
      mark: new Int32Array(size),
      points: new Float64Array(size),
      ofWord: new Float64Array(size),
    }
    collection = 0
  }
  collection += 1
  const looked = words.map(({ terms }): WordLists => ({
    lists: terms.map(({ term, weight }) => ({ postings: segment.postings(term), weight })),
  }))
  const slots = withRarestWords(looked)
  for (const word of looked) addWord(word, slots)
  return slots
}

/** In ascending order, as lists have them. */
function withRarestWords(words: readonly WordLists[]): Int32Array {
  const { mark, points } = room
  const slots: number[] = []
  const lists = words.flatMap((word) => word.lists.map(({ postings }) => postings))
  for (const postings of lists.sort((a, b) => lengthOf(a) - lengthOf(b))) {
    const { data, start, end } = postings
    if (slots.length > 0 && slots.length + lengthOf(postings) > MOST_SCANNED) break
    for (let at = start; at < end; at += 1) {
      const slot = (data[at] ?? 0) >>> IMPACT_BITS
      if (mark[slot] === collection) continue
      mark[slot] = collection
      points[slot] = 0
      slots.push(slot)
    }
  }
  return Int32Array.from(slots).sort()
}

/** Of several terms for a word a document gets what its best one is worth. */
function addWord({ lists }: WordLists, slots: Int32Array): void {
  const { points, ofWord } = room
  const [only] = lists
  if (only !== undefined && lists.length === 1) {
    eachPosting(only.postings, slots, only.weight, (slot, value) => {
      points[slot] = (points[slot] ?? 0) + value
    })
    return
  }
  for (const slot of slots) ofWord[slot] = 0
  for (const { postings, weight } of lists) {
    eachPosting(postings, slots, weight, (slot, value) => {
      const had = ofWord[slot] ?? 0
      if (value <= had) return
      points[slot] = (points[slot] ?? 0) + value - had
      ofWord[slot] = value
    })
  }
}

/** Call back for each of the slots that has a term: from one to the next in ever longer strides. */
function eachPosting(
  { data, start, end }: PostingList,
  slots: Int32Array,
  weight: number,
  visit: (slot: number, value: number) => void,
): void {
  const unit = weight / FULL_IMPACT
  let low = start
  for (const slot of slots) {
    const wanted = (slot << IMPACT_BITS) >>> 0
    let stride = 1
    let high = low
    while (high < end && (data[high] ?? 0) < wanted) {
      low = high + 1
      high += stride
      stride *= 2
    }
    if (high > end) high = end
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((data[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    if (low >= end) return
    const posting = data[low] ?? 0
    if (posting >>> IMPACT_BITS === slot) visit(slot, unit * (posting & FULL_IMPACT))
  }
}

function lengthOf({ start, end }: PostingList): number {
  return end - start
}
