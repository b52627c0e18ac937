/** The times of many runs of one thing. */
export interface Samples {
  readonly median: number
  readonly p95: number
  readonly runs: number
}

/** Returns the median and the 95th percentile to four digits; of one value, both are that value. */
export function samplesOf(values: readonly number[]): Samples {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => {
    const value = sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
    return Number(value.toPrecision(4))
  }
  return { median: at(0.5), p95: at(0.95), runs: sorted.length }
}

interface Sampling {
  readonly runs: number
  /**
   * The runs that one sample is the mean of, for operations that are shorter than the resolution of the
   * clock.
   */
  readonly batch?: number
  /** Runs before each sample; its time does not count. */
  readonly before?: () => unknown
}

/** Milliseconds of a run, after as many runs for warming up, at most 200. */
export async function takeSamples(
  run: () => unknown,
  { runs, batch = 1, before }: Sampling,
): Promise<Samples> {
  const values: number[] = []
  for (let sample = -Math.min(runs, 200); sample < runs; sample += 1) {
    await before?.()
    const start = performance.now()
    for (let index = 0; index < batch; index += 1) {
      const result = run()
      if (result instanceof Promise) await result
    }
    if (sample >= 0) values.push((performance.now() - start) / batch)
  }
  return samplesOf(values)
}
