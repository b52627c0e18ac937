import type { Corpus } from './corpus.ts'
import type { Ranked } from './ranked.ts'

/** Below this confidence the answer is that nothing fits. */
export const LEAST_CONFIDENCE = 0.03

/**
 * How likely the best candidate by words is what was asked for, from 0 to 1. One that was called by
 * name, or by a phrase, is not judged here.
 *
 * Judged by three things, each a number that does not depend on how large the index is:
 *
 * - *strength*: the points of the best candidate, in words that no document has. One rare
 *   word in a name gives about 0.6; a request in a user's words for the right tool about 1.5.
 * - *lead*: the part of its points that it is ahead of the next one by.
 * - *answered*: the part of what its document says that the request asks for.
 *
 * A logistic curve over the three makes a likelihood of them. Its four numbers were fitted on
 * the bench's requests (all languages, whole sets and samples of 12 and 41 tools), on the same
 * requests with their right tools taken away, and on small talk; a test holds the calibration.
 */
export function confidenceOf(ranked: readonly Ranked[], corpus: Corpus): number {
  const [best, ...others] = ranked
  if (best === undefined) return 0
  const next = others.reduce((most, { own }) => Math.max(most, own), 0)
  const lead = Math.max(0, 1 - next / best.own)
  const strength = best.candidate.points / corpus.mostRarity
  const evidence =
    -0.9 +
    3.5 * lead * Math.min(1, strength) +
    1.5 * Math.log(strength + 0.1) +
    0.5 * Math.log(best.answered + 0.03)
  return 1 / (1 + Math.exp(-evidence))
}
