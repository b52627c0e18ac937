import type { Held } from '../index/held.ts'
import type { Layer } from './layer.ts'

/** A document that a search has found. */
export interface Candidate {
  readonly layer: Layer
  readonly slot: number
  readonly held: Held
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
