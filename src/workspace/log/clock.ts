/** Time, for entries, expiries and durations. */
export interface Clock {
  /** Wall clock, in milliseconds since 1970. */
  now(): number
  /** A clock that never goes back within a process, in milliseconds. */
  monotonic(): number
  /** Waits for some milliseconds, or until the signal is aborted; by a timer of this process when absent. */
  pause?(ms: number, signal: AbortSignal): Promise<void>
}

/** The clock of this process. It looks up `Date` and `performance` at each call, so that tests can replace them. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}

/** Returns a number from 0 up to, but not including, 1, as `Math.random` does. Tests replace it to repeat delays. */
export type Randomness = () => number
