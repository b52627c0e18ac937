/** Returns the numbers of points, from 1, that are spread over all of them: one death in each turn. */
export function spreadDeaths(points: number, turns: number): readonly (readonly number[])[] {
  return Array.from({ length: turns }, (_, at) => [Math.floor((at * points) / turns) + 1])
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
