/** One suite or one client, and what it found. */
export interface ConformanceResult {
  readonly name: string
  /** The things counted, such as `30 of 30 scenarios`. */
  readonly found: string
  readonly passed: boolean
  /** The output, for a result that did not pass. */
  readonly output?: string
}

/** A part of `npm run conformance`. */
export type ConformancePart = () => Promise<readonly ConformanceResult[]>

/** The results of one part: an element of `parts` in `bench/results/conformance.json`. */
export interface ConformanceRecord {
  readonly part: string
  readonly date: string
  readonly seconds: number
  readonly results: readonly Omit<ConformanceResult, 'output'>[]
}
