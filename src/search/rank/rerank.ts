import { answeredParts } from './answered-parts.ts'
import { byPoints, type Candidate } from './candidate.ts'
import type { Corpus } from './corpus.ts'
import type { QueryWord } from './query-word.ts'
import type { Ranked } from './ranked.ts'

/** What it adds to a document that the query asks for all it says. */
const ANSWERED = 0.75
/** What a document gets of the points of the best one of its owner. */
const OWNER = 0.5

/**
 * Order candidates by their points and by two things that only show beside the others: how
 * much of the document was asked for, and how well the best of the same owner does. A request
 * that needs one tool of a server often needs its neighbours.
 */
export function rerank(
  candidates: readonly Candidate[],
  words: readonly QueryWord[],
  corpus: Corpus,
): readonly Ranked[] {
  const answered = answeredParts(candidates, words, corpus)
  const own = candidates.map(({ points }, at) => points * (1 + ANSWERED * (answered[at] ?? 0)))
  const best = new Map<string, number>()
  candidates.forEach(({ held }, at) => {
    if (held.owner === '') return
    best.set(held.owner, Math.max(best.get(held.owner) ?? 0, own[at] ?? 0))
  })
  return candidates
    .map((candidate, at) => {
      const points = own[at] ?? 0
      const score = points + OWNER * (best.get(candidate.held.owner) ?? points)
      return { candidate, score, own: points, answered: answered[at] ?? 0 }
    })
    .sort((a, b) => b.score - a.score || byPoints(a.candidate, b.candidate))
}
