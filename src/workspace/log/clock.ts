/** Time, for entries, expiries and durations. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. */
  now(): number
  /** Never goes back within a process, milliseconds. */
  monotonic(): number
}

/** The clock of this process; read anew at each call, so that tests may replace the timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}

/** Numbers from 0 to below 1, as `Math.random` gives them; another source makes delays repeatable. */
export type Randomness = () => number
