import { createSegment } from './index/segment.ts'
import { collectByRareWords, MOST_FULLY_SCANNED } from './rank/collect-by-rare-words.ts'
import { fullLayer } from './rank/layer.ts'
import { searchLayers } from './rank/search-layers.ts'
import type { SearchResult } from './rank/search-answer.ts'
import { documentKey, type ToolDocument } from './index/tool-document.ts'
import { wordsOf } from './words/words-of.ts'

type DocumentName = Pick<SearchResult, 'name' | 'kind'>

/** Two documents that queries for one of them do not distinguish. */
export interface ConfusedPair {
  readonly first: DocumentName
  readonly second: DocumentName
  /** The words that both have in common, as a search reads them. */
  readonly words: readonly string[]
  /** Phrases of one document that find the other first. */
  readonly phrases: readonly string[]
}

/** From this share of the right document's points on, the wrong one is a tie. */
const TIE = 0.92
/** If the wrong one is found first, the reverse search must reach at least this share. */
const NEAR = 0.75
/** Share of a document's phrases that find the same other document. */
const MANY_PHRASES = 0.5
/** Results that are read; lower ones are not confused. */
const DEPTH = 8
const LONGEST = 1_000
const MOST_PHRASES = 10
/** A description of fewer words matches many documents, and says nothing about the pair. */
const FEWEST_WORDS = 3

/** Of more documents, each is compared only with those that share its rarest words. */
export const MOST_FULLY_COMPARED = MOST_FULLY_SCANNED

/** Another document that a search for a document's own texts finds. */
interface Rival {
  readonly name: DocumentName
  /** Its points divided by those of the document itself; 0 when the description does not find it. */
  readonly closeness: number
  readonly words: readonly string[]
  readonly phrases: readonly string[]
}

/**
 * Returns the pairs of documents that a search confuses, the worst first. A skill and its own tools
 * are not a pair.
 *
 * Each document's own texts are used as queries. Two documents are confused in three cases: each has at
 * least 92 % of the other's points for the other's description; one is found before the other, and the
 * reverse search reaches at least 75 %; or half the phrases of one find the other first. There is one
 * search per text, so the time does not grow with the number of pairs. `onDocument` is called for each
 * document.
 *
 * Of more than 2,000 documents, each is compared only with about 500 that share its rarest words, because
 * the time would otherwise grow with the square of their number.
 */
export function confusedPairs(
  documents: Iterable<ToolDocument>,
  onDocument: (done: number, of: number) => void = () => {},
): readonly ConfusedPair[] {
  const all = [...documents]
  const segment = createSegment()
  for (const one of all) segment.put(one)
  const layers = [fullLayer(segment)]
  const find: Find = (text, limit) =>
    searchLayers(layers, text, { limit }, collectByRareWords).results
  const rivals = new Map(
    all.map((one, at) => {
      onDocument(at + 1, all.length)
      return [documentKey(kindAndName(one)), findRivals(one, find)] as const
    }),
  )
  const owners = new Map(all.map((one) => [documentKey(kindAndName(one)), one.owner]))
  const found = new Map<string, { readonly pair: ConfusedPair; readonly closeness: number }>()
  for (const one of all) {
    const first = kindAndName(one)
    const key = documentKey(first)
    for (const rival of rivals.get(key)?.values() ?? []) {
      const second = rival.name
      const back = rivals.get(documentKey(second))?.get(key)
      const both = [key, documentKey(second)].toSorted().join('\n')
      if (found.has(both) || isOwn(first, second, owners)) continue
      if (!isConfused(rival, back) && !hasManyPhrases(rival, one)) continue
      const words = rival.words.length > 0 ? rival.words : (back?.words ?? [])
      const phrases = [...rival.phrases, ...(back?.phrases ?? [])]
      const closeness = Math.max(rival.closeness, back?.closeness ?? 0)
      found.set(both, { pair: { first, second, words, phrases }, closeness })
    }
  }
  return [...found.values()].sort((a, b) => b.closeness - a.closeness).map(({ pair }) => pair)
}

function isConfused(rival: Rival, back: Rival | undefined): boolean {
  const nearer = Math.max(rival.closeness, back?.closeness ?? 0)
  const further = Math.min(rival.closeness, back?.closeness ?? 0)
  return further >= TIE || (nearer > 1 && further >= NEAR)
}

function hasManyPhrases({ phrases }: Rival, { phrases: all = [] }: ToolDocument): boolean {
  const asked = Math.min(all.length, MOST_PHRASES)
  return phrases.length > 0 && phrases.length >= asked * MANY_PHRASES
}

function isOwn(
  first: DocumentName,
  second: DocumentName,
  owners: ReadonlyMap<string, string | undefined>,
): boolean {
  const brings = (skill: DocumentName, tool: DocumentName) =>
    skill.kind === 'skill' && tool.kind === 'tool' && owners.get(documentKey(tool)) === skill.name
  return brings(first, second) || brings(second, first)
}

type Find = (text: string, limit: number) => readonly SearchResult[]

/** Returns the other documents that searches for a document's own texts find, by key. */
function findRivals(document: ToolDocument, find: Find): ReadonlyMap<string, Rival> {
  const { description, phrases = [] } = document
  const self = documentKey(kindAndName(document))
  const rivals = new Map<string, Rival>()
  const words = wordsOf(description.slice(0, LONGEST))
  if (words.length >= FEWEST_WORDS) {
    const strong = new Set(words.filter(({ isWeak }) => !isWeak).map(({ text }) => text))
    // Single words, so that a name in the text is not searched as a name.
    const query = words.map(({ text }) => text).join(' ')
    const results = find(query, DEPTH)
    const own = results.find((one) => documentKey(one) === self)
    for (const result of results) {
      if (result === own) continue
      const { name, kind, score, matched } = result
      const shared = new Set(matched.flatMap(({ terms }) => terms))
      rivals.set(documentKey(result), {
        name: { name, kind },
        // A document that its own text does not find is behind all results.
        closeness: own === undefined ? 2 : score / own.score,
        words: [...shared].filter((word) => strong.has(word)),
        phrases: [],
      })
    }
  }
  for (const phrase of phrases.slice(0, MOST_PHRASES)) {
    const [best] = find(phrase, 1)
    if (best === undefined || documentKey(best) === self) continue
    const { name, kind } = best
    const known = rivals.get(documentKey(best))
    const before = known ?? { name: { name, kind }, closeness: 0, words: [], phrases: [] }
    rivals.set(documentKey(best), { ...before, phrases: [...before.phrases, phrase] })
  }
  return rivals
}

function kindAndName({ name, kind = 'tool' }: ToolDocument): DocumentName {
  return { name, kind }
}
