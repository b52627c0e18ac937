import type { Segment } from '../index/segment.ts'
import type { DocumentKind, IndexedDocument } from '../index/tool-document.ts'
import { byName } from '../../kernel/nearest-names.ts'

/** A segment in a search, without the documents that an upper layer replaces. */
export interface Layer {
  readonly segment: Segment
  readonly hidden: ReadonlySet<number>
  /** The number of hidden documents by term. */
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

/** Returns true for a document that may be found. */
export type DocumentFilter = (name: string, kind: DocumentKind) => boolean

/** Returns the document at a slot; undefined when it is hidden, removed or must not be found. */
export function findableDocument(
  layer: Layer,
  slot: number,
  only: DocumentFilter,
): IndexedDocument | undefined {
  const document = layer.hidden.has(slot) ? undefined : layer.segment.documentAt(slot)
  return document !== undefined && only(document.name, document.kind) ? document : undefined
}

/** A document that a search has found. */
export interface Candidate {
  readonly layer: Layer
  readonly slot: number
  readonly document: IndexedDocument
  /** The sum over the words of the query. */
  readonly points: number
}

/** Sorts by points, then by name, so that the order of insertion makes no difference. */
export function byPoints(a: Candidate, b: Candidate): number {
  return (
    b.points - a.points ||
    byName(a.document.name, b.document.name) ||
    byName(a.document.kind, b.document.kind)
  )
}
