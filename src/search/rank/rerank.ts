import { FIELD_WEIGHTS, fieldsOf } from '../index/search-fields.ts'
import { byPoints, type Candidate } from './candidate.ts'
import type { Corpus } from './corpus.ts'
import type { Layer } from './layer.ts'
import type { QueryWord } from './query-word.ts'
import type { Ranked } from './ranked.ts'

/** What it adds to a document that the query asks for all it says. */
const ANSWERED = 0.6
/** What a document gets of the points of the best one of its owner. */
const OWNER = 0.5

/** How much a term stands for its document, by the set of fields it is in. */
const SHARE = Float64Array.from({ length: 256 }, (_, set) =>
  Math.min(
    1,
    fieldsOf(set).reduce((sum, field) => sum + FIELD_WEIGHTS[field].weight, 0),
  ),
)

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
  const asked = new Set(words.flatMap(({ terms }) => terms.map(({ term }) => term)))
  const rarities = new Map<string, number>()
  const rarity = (term: string): number => {
    const known = rarities.get(term)
    if (known !== undefined) return known
    const value = corpus.rarity(term)
    rarities.set(term, value)
    return value
  }
  const answered = candidates.map((one) => answeredPart(one, asked, rarity))
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
      return { candidate, score, answered: answered[at] ?? 0 }
    })
    .sort((a, b) => b.score - a.score || byPoints(a.candidate, b.candidate))
}

function answeredPart(
  { layer, slot }: { readonly layer: Layer; readonly slot: number },
  asked: ReadonlySet<string>,
  rarity: (term: string) => number,
): number {
  let all = 0
  let part = 0
  layer.segment.eachTerm(slot, (id, fields) => {
    const term = layer.segment.vocabulary.termOf(id)
    const worth = rarity(term) * (SHARE[fields] ?? 0)
    all += worth
    if (asked.has(term)) part += worth
  })
  return all === 0 ? 0 : part / all
}
