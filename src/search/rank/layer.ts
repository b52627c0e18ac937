import type { Segment } from '../index/segment.ts'

/** A segment as one search sees it: without the documents that a layer above takes the place of. */
export interface Layer {
  readonly segment: Segment
  readonly hidden: ReadonlySet<number>
  /** How many hidden documents have a term. */
  readonly lost: ReadonlyMap<string, number>
}

const NONE: ReadonlySet<number> = new Set()
const NOTHING_LOST: ReadonlyMap<string, number> = new Map()

export function wholeLayer(segment: Segment): Layer {
  return { segment, hidden: NONE, lost: NOTHING_LOST }
}

export function layerWithout(segment: Segment, hidden: ReadonlySet<number>): Layer {
  const lost = new Map<string, number>()
  for (const slot of hidden) {
    segment.eachTerm(slot, (id) => {
      const term = segment.vocabulary.termOf(id)
      lost.set(term, (lost.get(term) ?? 0) + 1)
    })
  }
  return { segment, hidden, lost }
}
