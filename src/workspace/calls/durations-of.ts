import type { Durations } from './call-metrics.ts'

/** Percentiles by nearest rank: each is a duration that was measured. Null without any. */
export function durationsOf(measured: readonly number[]): Durations | null {
  const sorted = Float64Array.from(measured).sort()
  const at = (percent: number) => sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0
  return sorted.length === 0 ? null : { p50: at(50), p95: at(95), p99: at(99), max: at(100) }
}
