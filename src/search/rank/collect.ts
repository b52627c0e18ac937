import { FULL_IMPACT, IMPACT_BITS, type PostingList } from '../index/segment.ts'
import {
  byPoints,
  type Candidate,
  type DocumentFilter,
  findableDocument,
  type Layer,
} from './layer.ts'
import type { QueryWord } from './plan-query.ts'

/** Documents that are ranked in detail. */
export const MOST_CANDIDATES = 64

/** Returns the documents with the most points in all layers, best first. */
export function collect(
  layers: readonly Layer[],
  words: readonly QueryWord[],
  most: number,
  only: DocumentFilter,
): readonly Candidate[] {
  return layers
    .flatMap((layer) => best(layer, words, most, only))
    .sort(byPoints)
    .slice(0, most)
}

function best(
  layer: Layer,
  words: readonly QueryWord[],
  most: number,
  only: DocumentFilter,
): readonly Candidate[] {
  const points = scoreBoard(layer, words)
  const { slots } = layer.segment
  const largest = createTopK(most)
  let least = 0
  for (let slot = 0; slot < slots; slot += 1) {
    const mine = points[slot] ?? 0
    if (mine <= least || findableDocument(layer, slot, only) === undefined) continue
    largest.add(mine)
    least = largest.least
  }
  const found: Candidate[] = []
  for (let slot = 0; slot < slots; slot += 1) {
    const mine = points[slot] ?? 0
    if (mine === 0 || mine < least) continue
    const document = findableDocument(layer, slot, only)
    if (document !== undefined) found.push({ layer, slot, document, points: mine })
  }
  return found
}

/** Buffers, reused by every search, which is synchronous. */
let boardPoints = new Float64Array(0)

let boardOfWord = new Float64Array(0)

let boardLastWord = new Int32Array(0)

/**
 * Returns the points of every document by slot: for each word of the query, those of its best term. A
 * document without any word of the query has 0.
 *
 * The array is valid until the next call. Only the slots of the segment are meaningful.
 */
function scoreBoard({ segment }: Layer, words: readonly QueryWord[]): Float64Array {
  if (boardPoints.length < segment.slots) {
    const room = Math.ceil(segment.slots * 1.5)
    boardPoints = new Float64Array(room)
    boardOfWord = new Float64Array(room)
    boardLastWord = new Int32Array(room)
  }
  boardPoints.fill(0, 0, segment.slots)
  boardLastWord.fill(0, 0, segment.slots)
  words.forEach(({ terms }, index) => {
    const [only] = terms
    if (only !== undefined && terms.length === 1) addTerm(segment.postings(only.term), only.weight)
    else {
      for (const { term, weight } of terms) addBest(segment.postings(term), weight, index + 1)
    }
  })
  return boardPoints
}

/** Adds the points of a word that has one term. */
function addTerm({ data, start, end }: PostingList, weight: number): void {
  const unit = weight / FULL_IMPACT
  for (let at = start; at < end; at += 1) {
    const posting = data[at] ?? 0
    const slot = posting >>> IMPACT_BITS
    boardPoints[slot] = (boardPoints[slot] ?? 0) + unit * (posting & FULL_IMPACT)
  }
}

/** Adds the points of one of several terms of a word: the best term of a document counts. */
function addBest({ data, start, end }: PostingList, weight: number, word: number): void {
  const unit = weight / FULL_IMPACT
  for (let at = start; at < end; at += 1) {
    const posting = data[at] ?? 0
    const slot = posting >>> IMPACT_BITS
    const value = unit * (posting & FULL_IMPACT)
    const before = boardLastWord[slot] === word ? (boardOfWord[slot] ?? 0) : 0
    if (value <= before) continue
    boardPoints[slot] = (boardPoints[slot] ?? 0) + value - before
    boardLastWord[slot] = word
    boardOfWord[slot] = value
  }
}

/** Creates a heap of the `most` largest of the added numbers, which are above 0, with the smallest at its root. */
function createTopK(most: number) {
  const heap: number[] = []
  const rise = (from: number): void => {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >>> 1
      if (!swapped(heap, parent, at)) return
      at = parent
    }
  }
  const sink = (): void => {
    for (let at = 0; ;) {
      const left = 2 * at + 1
      const right = left + 1
      const child = (heap[right] ?? Infinity) < (heap[left] ?? Infinity) ? right : left
      if (child >= heap.length || !swapped(heap, at, child)) return
      at = child
    }
  }
  return {
    /** The smallest of them; 0 while there are fewer. */
    get least() {
      return heap.length < most ? 0 : (heap[0] ?? 0)
    },
    add(value: number): void {
      if (heap.length < most) rise(heap.push(value) - 1)
      else if (value > (heap[0] ?? 0)) {
        heap[0] = value
        sink()
      }
    },
  }
}

/** Swaps two numbers if the lower one is smaller; false when the order is right already. */
function swapped(heap: number[], above: number, below: number): boolean {
  const upper = heap[above] ?? 0
  const lower = heap[below] ?? 0
  if (upper <= lower) return false
  heap[above] = lower
  heap[below] = upper
  return true
}
