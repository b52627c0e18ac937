import type { Clock } from './ports.ts'

/** The clock of this process; read anew at each call, so that tests may replace the timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}
