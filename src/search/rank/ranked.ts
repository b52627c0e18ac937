import type { Candidate } from './candidate.ts'

/** A candidate with its place among the others taken into account. */
export interface Ranked {
  readonly candidate: Candidate
  readonly score: number
  /** The score before its owner's best one lifted it. */
  readonly own: number
  /** Part of what the document says that the query asks for, from 0 to 1. */
  readonly answered: number
}
