import { createSegment } from './index/segment.ts'
import { collectByRareWords, MOST_FULLY_SCANNED } from './rank/collect-by-rare-words.ts'
import { fullLayer } from './rank/layer.ts'
import { searchLayers } from './rank/search-layers.ts'
import type { SearchResult } from './rank/search-answer.ts'
import type { ToolDocument } from './index/tool-document.ts'
import { wordsOf } from './words/words-of.ts'

type DocumentName = Pick<SearchResult, 'name' | 'kind'>

/** Two documents that requests for one of them do not tell apart. */
export interface ConfusedPair {
  readonly first: DocumentName
  readonly second: DocumentName
  /** What both say, as a search sees it. */
  readonly words: readonly string[]
  /** Phrases of one that find the other first. */
  readonly phrases: readonly string[]
}

/** Part of the points of the right one from which on the wrong one is as good as found in its place. */
const TIE = 0.92
/** Where the wrong one is found first, the other way round it must be at least this near. */
const NEAR = 0.75
/** Part of a document's phrases that find one and the same other. */
const MANY_PHRASES = 0.5
/** Results looked at; what stands further down is confused with nobody. */
const DEPTH = 8
const LONGEST = 1_000
const MOST_PHRASES = 10
/** Fewer words are no description: they fit many, and say nothing of the pair. */
const FEWEST_WORDS = 3

/** Beyond so many documents each is compared with those only that share its rarest words. */
export const MOST_FULLY_COMPARED = MOST_FULLY_SCANNED

/** Another document, as the search for one document's own text finds it. */
interface Rival {
  readonly name: DocumentName
  /** Its points as a part of those of the document itself; 0 when the description does not find it. */
  readonly closeness: number
  readonly words: readonly string[]
  readonly phrases: readonly string[]
}

/**
 * The pairs that a search confuses, the worst first. A skill and its own tools are no pair.
 *
 * What each document says of itself is searched for. Two are confused when each has, for the
 * other's description, at least 92 % of the other's points; when one is found before the other and
 * is itself at least 75 % as near; or when half the phrases of one find the other first. One search
 * for each text: the time does not grow with the number of pairs. `onDocument` is told of each.
 *
 * Of more than 2,000 documents each is compared with some 500 only, those that share its rarest words:
 * else the time would grow with the square of their number.
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
      return [keyOf(nameOf(one)), rivalsOf(one, find)] as const
    }),
  )
  const owners = new Map(all.map((one) => [keyOf(nameOf(one)), one.owner]))
  const found = new Map<string, { readonly pair: ConfusedPair; readonly closeness: number }>()
  for (const one of all) {
    const first = nameOf(one)
    const key = keyOf(first)
    for (const there of rivals.get(key)?.values() ?? []) {
      const second = there.name
      const back = rivals.get(keyOf(second))?.get(key)
      const both = [key, keyOf(second)].toSorted().join('\n')
      if (found.has(both) || isOwn(first, second, owners)) continue
      if (!isConfused(there, back) && !hasManyPhrases(there, one)) continue
      const words = there.words.length > 0 ? there.words : (back?.words ?? [])
      const phrases = [...there.phrases, ...(back?.phrases ?? [])]
      const closeness = Math.max(there.closeness, back?.closeness ?? 0)
      found.set(both, { pair: { first, second, words, phrases }, closeness })
    }
  }
  return [...found.values()].sort((a, b) => b.closeness - a.closeness).map(({ pair }) => pair)
}

function isConfused(there: Rival, back: Rival | undefined): boolean {
  const nearer = Math.max(there.closeness, back?.closeness ?? 0)
  const further = Math.min(there.closeness, back?.closeness ?? 0)
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
    skill.kind === 'skill' && tool.kind === 'tool' && owners.get(keyOf(tool)) === skill.name
  return brings(first, second) || brings(second, first)
}

type Find = (text: string, limit: number) => readonly SearchResult[]

/** The others that the search for a document's own texts finds, by key. */
function rivalsOf(document: ToolDocument, find: Find): ReadonlyMap<string, Rival> {
  const { description, phrases = [] } = document
  const self = keyOf(nameOf(document))
  const rivals = new Map<string, Rival>()
  const words = wordsOf(description.slice(0, LONGEST))
  if (words.length >= FEWEST_WORDS) {
    const strong = new Set(words.filter(({ isWeak }) => !isWeak).map(({ text }) => text))
    // As words, so that a name mentioned in the text is no name called.
    const query = words.map(({ text }) => text).join(' ')
    const results = find(query, DEPTH)
    const own = results.find((one) => keyOf(one) === self)
    for (const result of results) {
      if (result === own) continue
      const { name, kind, score, matched } = result
      const shared = new Set(matched.flatMap(({ terms }) => terms))
      rivals.set(keyOf(result), {
        name: { name, kind },
        // Not even found for what it says itself, it is behind everybody who is.
        closeness: own === undefined ? 2 : score / own.score,
        words: [...shared].filter((word) => strong.has(word)),
        phrases: [],
      })
    }
  }
  for (const phrase of phrases.slice(0, MOST_PHRASES)) {
    const [best] = find(phrase, 1)
    if (best === undefined || keyOf(best) === self) continue
    const { name, kind } = best
    const known = rivals.get(keyOf(best))
    const before = known ?? { name: { name, kind }, closeness: 0, words: [], phrases: [] }
    rivals.set(keyOf(best), { ...before, phrases: [...before.phrases, phrase] })
  }
  return rivals
}

function nameOf({ name, kind = 'tool' }: ToolDocument): DocumentName {
  return { name, kind }
}

function keyOf({ name, kind }: DocumentName): string {
  return `${kind} ${name}`
}
