import type { Segment } from '../index/segment.ts'
import type { IndexedDocument } from '../index/tool-document.ts'

/** A segment as one search sees it: without the documents that a layer above takes the place of. */
export interface Layer {
  readonly segment: Segment
  readonly hidden: ReadonlySet<number>
  /** How many hidden documents have a term. */
  readonly lost: ReadonlyMap<string, number>
}

const NONE: ReadonlySet<number> = new Set()

const NOTHING_LOST: ReadonlyMap<string, number> = new Map()

export function fullLayer(segment: Segment): Layer {
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

/** A document that a search has found. */
export interface Candidate {
  readonly layer: Layer
  readonly slot: number
  readonly held: IndexedDocument
  /** What its words are worth. */
  readonly points: number
}

/** Best first; ties go by name, so that the order documents came in makes no difference. */
export function byPoints(a: Candidate, b: Candidate): number {
  return (
    b.points - a.points || compare(a.held.name, b.held.name) || compare(a.held.kind, b.held.kind)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
