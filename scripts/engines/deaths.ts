/** Points between which something happens outside of the log: there, most that can go wrong does. */
const SHARP = /request$|in its handler$|call\.ended|at the question|is saved$/

/** Returns the numbers of points, from 1, that are spread over the sharp ones: one death in each turn. */
export function spreadDeaths(
  points: readonly string[],
  turns: number,
): readonly (readonly number[])[] {
  const sharp = points.flatMap((point, at) => (SHARP.test(point) ? [at + 1] : []))
  // From the end of each part: the last point has its turn, too.
  return Array.from({ length: turns }, (_, at) => {
    const number = sharp[Math.ceil(((at + 1) * sharp.length) / turns) - 1]
    return number === undefined ? [] : [number]
  })
}

/** Returns random numbers of points: one to three deaths in each turn, the same for a seed. */
export function randomDeaths(
  points: number,
  turns: number,
  seed: number,
): readonly (readonly number[])[] {
  let state = seed
  // A linear congruential generator, with the numbers of Numerical Recipes.
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return Array.from({ length: turns }, () =>
    Array.from({ length: 1 + below(3) }, () => 1 + below(points)).toSorted((a, b) => a - b),
  )
}
