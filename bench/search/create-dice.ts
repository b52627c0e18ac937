/** Returns numbers that look random and are the same in every run. */
export interface Dice {
  /** A whole number from 0 up to, and without, `limit`. */
  below(limit: number): number
}

/** A linear congruential generator. */
export function createDice(seed: number): Dice {
  let state = seed
  return {
    below(limit) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * limit)
    },
  }
}
