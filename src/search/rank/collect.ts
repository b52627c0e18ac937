import { FULL_IMPACT, IMPACT_BITS, type PostingList } from '../index/segment.ts'
import type { DocumentKind } from '../index/tool-document.ts'
import { byPoints, type Candidate, type Layer } from './layer.ts'
import type { QueryWord } from './plan-query.ts'

/** Documents that are looked at closely. */
export const MOST_CANDIDATES = 64

type Filter = (name: string, kind: DocumentKind) => boolean

/** The documents with the most points of all layers, best first. */
export function collect(
  layers: readonly Layer[],
  words: readonly QueryWord[],
  most: number,
  only: Filter,
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
  only: Filter,
): readonly Candidate[] {
  const points = scoreBoard(layer, words)
  const { slots } = layer.segment
  const allowed = (slot: number): Candidate | undefined => {
    const held = layer.hidden.has(slot) ? undefined : layer.segment.held(slot)
    if (held === undefined || !only(held.name, held.kind)) return undefined
    return { layer, slot, held, points: points[slot] ?? 0 }
  }
  const largest = createTopK(most)
  let least = 0
  for (let slot = 0; slot < slots; slot += 1) {
    const mine = points[slot] ?? 0
    if (mine <= least || allowed(slot) === undefined) continue
    largest.add(mine)
    least = largest.least
  }
  const found: Candidate[] = []
  for (let slot = 0; slot < slots; slot += 1) {
    const mine = points[slot] ?? 0
    const candidate = mine > 0 && mine >= least ? allowed(slot) : undefined
    if (candidate !== undefined) found.push(candidate)
  }
  return found
}

/** Room for the points of one search, used again by the next: searching does not wait in between. */
let boardPoints = new Float64Array(0)

let boardOfWord = new Float64Array(0)

let boardLastWord = new Int32Array(0)

/**
 * The points of every document by slot, 0 for one that has no word of the query: what it has of
 * each word, of which the best term counts.
 *
 * The board is valid until the next call, and as long as the segment has slots.
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

/** Points of a word that is looked up by one term. */
function addTerm({ data, start, end }: PostingList, weight: number): void {
  const unit = weight / FULL_IMPACT
  for (let at = start; at < end; at += 1) {
    const posting = data[at] ?? 0
    const slot = posting >>> IMPACT_BITS
    boardPoints[slot] = (boardPoints[slot] ?? 0) + unit * (posting & FULL_IMPACT)
  }
}

/** Points of a word that is looked up by several: a document that has several gets the most. */
function addBest({ data, start, end }: PostingList, weight: number, word: number): void {
  const unit = weight / FULL_IMPACT
  for (let at = start; at < end; at += 1) {
    const posting = data[at] ?? 0
    const slot = posting >>> IMPACT_BITS
    const value = unit * (posting & FULL_IMPACT)
    const had = boardLastWord[slot] === word ? (boardOfWord[slot] ?? 0) : 0
    if (value <= had) continue
    boardPoints[slot] = (boardPoints[slot] ?? 0) + value - had
    boardLastWord[slot] = word
    boardOfWord[slot] = value
  }
}

/** The largest of the numbers it was given. */
interface TopK {
  /** The smallest of them, once there are as many as wanted; 0 before that. */
  readonly least: number
  add(value: number): void
}

/** A heap of at most `most` numbers above 0, the smallest at its root. */
function createTopK(most: number): TopK {
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
    get least() {
      return heap.length < most ? 0 : (heap[0] ?? 0)
    },
    add(value) {
      if (heap.length < most) rise(heap.push(value) - 1)
      else if (value > (heap[0] ?? 0)) {
        heap[0] = value
        sink()
      }
    },
  }
}

/** Put the smaller of two above the other; false when it is there already. */
function swapped(heap: number[], above: number, below: number): boolean {
  const upper = heap[above] ?? 0
  const lower = heap[below] ?? 0
  if (upper <= lower) return false
  heap[above] = lower
  heap[below] = upper
  return true
}
