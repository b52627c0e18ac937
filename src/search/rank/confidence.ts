import type { QueryWord } from './query-word.ts'
import type { Ranked } from './ranked.ts'

/** What a confidence is judged by. */
export interface Evidence {
  readonly named: boolean
  readonly ranked: readonly Ranked[]
  readonly words: readonly QueryWord[]
}

export function confidenceOf({ named, ranked, words }: Evidence): number {
  if (named) return 1
  const worth = words.reduce((sum, one) => sum + one.worth, 0)
  const points = ranked[0]?.candidate.points ?? 0
  return worth === 0 ? 0 : Math.min(1, points / worth)
}
