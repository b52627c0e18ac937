import { distance } from 'fastest-levenshtein'
import type { IndexedDocument } from '../index/tool-document.ts'
import { byPoints, type Candidate, type Layer } from './layer.ts'
import { squashName } from '../words/fold-text.ts'

/** Characters of a request in which names are looked for. */
const LONGEST_QUERY = 4_000

const MOST_NAMES = 50

const CHUNKS = /[\s,;|"'`()[\]{}<>]+/u

const SEGMENTS = /[,;|\n]| and | or /u

/** Something inside a word that names have and words do not. */
const LIKE_A_NAME = /[\p{L}\p{N}][_./:-]+[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}\p{N}/u

/** A name as a query writes it, and without case and separators. */
interface WrittenName {
  readonly text: string
  readonly squashed: string
}

/**
 * The documents that a query calls by name, one for each name in it, in their order.
 *
 * A query may be one name in any writing, a list of names, or a sentence in which something
 * stands that can only be a name (`get_page`, `getPage`). Of several documents that are called
 * so by their owners, the one written just so is meant, else the one with the most points.
 *
 * @param candidateOf a document with its points; undefined when it may not be found
 */
export function candidatesByName(
  query: string,
  layers: readonly Layer[],
  candidateOf: (layer: Layer, slot: number) => Candidate | undefined,
): readonly Candidate[] {
  const named = new Map<IndexedDocument, Candidate>()
  const said = new Set<string>()
  for (const name of writtenNames(query.slice(0, LONGEST_QUERY), layers)) {
    // A name that is said again, in whatever writing, means the one it meant.
    if (said.has(name.squashed)) continue
    said.add(name.squashed)
    const whole = candidatesNamed(name, layers, 'whole', candidateOf)
    const meant = whole.length > 0 ? whole : candidatesNamed(name, layers, 'bare', candidateOf)
    const left = meant.filter(({ held }) => !named.has(held))
    for (const one of whole.length > 0 ? left : left.slice(0, 1)) named.set(one.held, one)
    if (named.size >= MOST_NAMES) break
  }
  return [...named.values()]
}

function writtenNames(query: string, layers: readonly Layer[]): readonly WrittenName[] {
  const whole = written(query)
  if (isName(whole, layers)) return [whole]
  const segments = query.split(SEGMENTS).map(written)
  const listed = segments.filter(({ squashed }) => squashed !== '')
  if (listed.every((one) => isName(one, layers))) return listed
  const chunks = query.split(CHUNKS).filter((chunk) => LIKE_A_NAME.test(chunk))
  return chunks.map(written).filter((one) => isName(one, layers))
}

function written(text: string): WrittenName {
  return { text: text.trim(), squashed: squashName(text) }
}

function isName({ squashed }: WrittenName, layers: readonly Layer[]): boolean {
  return layers.some(({ segment: { names }, hidden }) =>
    [names.whole(squashed), names.bare(squashed)].some((slots) =>
      slots.some((slot) => !hidden.has(slot)),
    ),
  )
}

/** Who has a name: as their own (`whole`), or within their owner (`bare`). */
function candidatesNamed(
  { text, squashed }: WrittenName,
  layers: readonly Layer[],
  which: 'whole' | 'bare',
  candidateOf: (layer: Layer, slot: number) => Candidate | undefined,
): readonly Candidate[] {
  const isJustSo = ({ held }: Candidate) => held.name === text || held.bare === text
  return layers
    .flatMap((layer) =>
      layer.segment.names[which](squashed).flatMap((slot) =>
        layer.hidden.has(slot) ? [] : (candidateOf(layer, slot) ?? []),
      ),
    )
    .sort((a, b) => Number(isJustSo(b)) - Number(isJustSo(a)) || byPoints(a, b))
}

/** Documents one of whose phrases a query is or holds. */
interface PhraseCandidates {
  readonly candidates: readonly Candidate[]
  /** How sure it is that the first of them is meant. */
  readonly confidence: number
}

/** How sure a query is that is a phrase of one document, and of no other. */
const EQUAL_CONFIDENCE = 0.9

/** The same, of a query that holds a phrase, times the part of its letters that the phrase has. */
const CONTAINED_CONFIDENCE = 0.8

/** A phrase of one word that is less of a query than this is a word like any other. */
const LEAST_WORD = 0.5

/** Words of a query that is looked at: a longer one is told apart by its words. */
const MOST_WORDS = 24

const LONGEST_PHRASED = 400

const BETWEEN = /[^\p{L}\p{M}\p{N}]+/u

/**
 * The documents of the longest phrase that a query is or holds, whatever its case and separators.
 * Where several have it, the one with the most points comes first, and none of them is sure.
 *
 * @param candidateOf a document with its points; undefined when it may not be found
 */
export function candidatesByPhrase(
  query: string,
  layers: readonly Layer[],
  candidateOf: (layer: Layer, slot: number) => Candidate | undefined,
): PhraseCandidates | undefined {
  if (query.length > LONGEST_PHRASED || layers.every(({ segment }) => segment.phrases.isEmpty)) {
    return undefined
  }
  const whole = squashName(query)
  for (const part of partsOf(query, whole)) {
    const candidates = layers
      .flatMap((layer) =>
        layer.segment.phrases
          .saying(part)
          .flatMap((slot) => (layer.hidden.has(slot) ? [] : (candidateOf(layer, slot) ?? []))),
      )
      .sort(byPoints)
    if (candidates.length === 0) continue
    const sure =
      part === whole ? EQUAL_CONFIDENCE : (CONTAINED_CONFIDENCE * part.length) / whole.length
    return { candidates, confidence: sure / candidates.length }
  }
  return undefined
}

/** A query, its neighbouring words, and a single word that is most of it; the longest first. */
function partsOf(query: string, whole: string): readonly string[] {
  const words = query
    .split(BETWEEN)
    .map(squashName)
    .filter((word) => word !== '')
  if (words.length > MOST_WORDS) return [whole]
  const parts = new Set([whole])
  words.forEach((_, from) => {
    let part = ''
    for (const word of words.slice(from)) {
      part += word
      if (part !== word || part.length >= whole.length * LEAST_WORD) parts.add(part)
    }
  })
  return [...parts].sort((a, b) => b.length - a.length)
}

const SHORTEST_TYPED = 4

/** From so many letters on two slips are forgiven, below it one. */
const LONG_NAME = 14

/** Characters of a query that are compared; a name is shorter. */
const LONGEST_TYPED = 200

/** The candidate whose name a query is but for a slip of the finger; undefined when none is. */
export function candidateByTypo(
  query: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const wanted = squashName(query.slice(0, LONGEST_TYPED))
  if (wanted.length < SHORTEST_TYPED) return undefined
  const allowed = wanted.length >= LONG_NAME ? 2 : 1
  const near = candidates.flatMap((candidate) => {
    const { name, bare } = candidate.held
    const edits = Math.min(...[name, bare].map((one) => editsBetween(wanted, squashName(one))))
    return edits <= allowed ? [{ candidate, edits }] : []
  })
  return near.sort((a, b) => a.edits - b.edits || byPoints(a.candidate, b.candidate))[0]?.candidate
}

function editsBetween(a: string, b: string): number {
  return Math.abs(a.length - b.length) > 2 ? Infinity : distance(a, b)
}
