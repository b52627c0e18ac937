import { FULL_IMPACT, IMPACT_BITS, type PostingList } from '../index/segment.ts'
import { collect } from './collect.ts'
import { byPoints, findableDocument, type Layer } from './layer.ts'
import type { QueryWord } from './plan-query.ts'

/** Up to this number of documents, all of them are scanned. */
export const MOST_FULLY_SCANNED = 2_000

/** Documents that are scanned of a larger number: those with the rarest words. */
const MOST_SCANNED = 500

/** Buffers, reused by every collection, which is synchronous. */
let buffers = { mark: new Int32Array(0), points: new Float64Array(0), ofWord: new Float64Array(0) }

/** The number of the current collection, which marks the slots that it contains. */
let collection = 0

/** A word of a query with the posting lists of its terms. */
interface WordLists {
  readonly lists: readonly { readonly postings: PostingList; readonly weight: number }[]
}

/**
 * Like `collect`, but of more than 2,000 documents it scans only about 500, those with the rarest words
 * of the query. So the time of one search does not grow with their number.
 */
export const collectByRareWords: typeof collect = (layers, words, most, only) => {
  if (layers.every(({ segment }) => segment.size <= MOST_FULLY_SCANNED)) {
    return collect(layers, words, most, only)
  }
  return layers
    .flatMap((layer) =>
      Array.from(scored(layer, words)).flatMap((slot) => {
        const document = findableDocument(layer, slot, only)
        return document === undefined
          ? []
          : [{ layer, slot, document, points: buffers.points[slot] ?? 0 }]
      }),
    )
    .sort(byPoints)
    .slice(0, most)
}

/** Returns the slots that can be among the best, and fills their points. */
function scored({ segment }: Layer, words: readonly QueryWord[]): Int32Array {
  if (buffers.mark.length < segment.slots) {
    const size = Math.ceil(segment.slots * 1.5)
    buffers = {
      mark: new Int32Array(size),
      points: new Float64Array(size),
      ofWord: new Float64Array(size),
    }
    collection = 0
  }
  collection += 1
  const lookedUp = words.map(({ terms }): WordLists => ({
    lists: terms.map(({ term, weight }) => ({ postings: segment.postings(term), weight })),
  }))
  const slots = withRarestWords(lookedUp)
  for (const word of lookedUp) addWord(word, slots)
  return slots
}

/** Returns slots in ascending order, like posting lists. */
function withRarestWords(words: readonly WordLists[]): Int32Array {
  const { mark, points } = buffers
  const slots: number[] = []
  const lists = words.flatMap((word) => word.lists.map(({ postings }) => postings))
  for (const postings of lists.sort((a, b) => listLength(a) - listLength(b))) {
    const { data, start, end } = postings
    if (slots.length > 0 && slots.length + listLength(postings) > MOST_SCANNED) break
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

/** Adds the points of a word: for each document those of its best term. */
function addWord({ lists }: WordLists, slots: Int32Array): void {
  const { points, ofWord } = buffers
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
      const before = ofWord[slot] ?? 0
      if (value <= before) return
      points[slot] = (points[slot] ?? 0) + value - before
      ofWord[slot] = value
    })
  }
}

/** Visits each of the slots that contains a term. Searches the list with growing strides. */
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

function listLength({ start, end }: PostingList): number {
  return end - start
}
