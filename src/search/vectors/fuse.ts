import type { SearchResult } from '../rank/search-answer.ts'

/** A document that vectors found. */
export interface LiftedDocument extends Pick<SearchResult, 'name' | 'kind'> {
  /** How far it stands out, from 0 to 1: see `lift`. */
  readonly lift: number
}

/** A lift from which on a document clearly stands out. Below, vectors speak the less, the less it is. */
const CLEAR_LIFT = 0.4

/** Part that words have in a fused answer: the surer they are the more, and all from `sure` on. */
export function wordsShare(confidence: number, sure: number): number {
  return sure <= 0 ? 1 : Math.min(1, Math.max(0, confidence / sure))
}

/**
 * One ranking of two: each document gets the part of the best points it has by words, and by
 * vectors, weighed by `share`. So the order glides from that of vectors to that of words as words
 * become surer, and no document is lifted for its place alone.
 *
 * @param words best first, as an index gives them
 * @param share the part that words have, from 0 to 1
 */
export function fuse(
  words: readonly SearchResult[],
  vectors: readonly LiftedDocument[],
  share: number,
): readonly SearchResult[] {
  const mostPoints = Math.max(...words.map(({ score }) => score), Number.MIN_VALUE)
  const mostLift = Math.max(...vectors.map(({ lift }) => lift), CLEAR_LIFT)
  const byKey = new Map(words.map((one) => [keyOf(one), one]))
  const lifts = new Map(vectors.map((one) => [keyOf(one), one.lift]))
  return [...new Map([...vectors, ...words].map((one) => [keyOf(one), one])).entries()]
    .map(([key, { name, kind }]): SearchResult => {
      const points = (byKey.get(key)?.score ?? 0) / mostPoints
      const lift = (lifts.get(key) ?? 0) / mostLift
      const matched = byKey.get(key)?.matched ?? []
      return { name, kind, score: share * points + (1 - share) * lift, matched }
    })
    .filter(({ score }) => score > 0)
    .sort(byScore)
}

function keyOf({ name, kind }: Pick<SearchResult, 'name' | 'kind'>): string {
  return `${kind} ${name}`
}

function byScore(a: SearchResult, b: SearchResult): number {
  return b.score - a.score || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}
