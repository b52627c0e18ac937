import type { TortureResult } from './torture-part.ts'

/** What a part came to, and under what: an element of `parts` in `bench/results/torture.json`. */
export interface PartRecord extends TortureResult {
  readonly name: string
  readonly claim: string
  readonly date: string
  readonly seed: number
  readonly scale: number
  readonly seconds: number
}
