import { distance } from 'fastest-levenshtein'
import type { IndexedDocument } from '../index/tool-document.ts'
import { byPoints, type Candidate, type Layer } from './layer.ts'
import { squashName } from '../words/fold-text.ts'

/** Characters of a query in which names are searched. */
const LONGEST_QUERY = 4_000

const MOST_NAMES = 50

const CHUNKS = /[\s,;|"'`()[\]{}<>]+/u

const SEGMENTS = /[,;|\n]| and | or /u

/** Matches inside of identifiers, and not inside of words. */
const LIKE_A_NAME = /[\p{L}\p{N}][_./:-]+[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}\p{N}/u

/** A name as written in a query, and without case and separators. */
interface WrittenName {
  readonly text: string
  readonly squashed: string
}

/**
 * Returns the documents that a query names, one for each name, in the order of the query.
 *
 * A query may be one name in any spelling, a list of names, or a sentence with an identifier
 * (`get_page`, `getPage`). If several documents have the name within their owners, the one with the
 * exact spelling wins, else the one with the most points.
 *
 * @param findCandidate a document with its points; undefined when it must not be found
 */
export function candidatesByName(
  query: string,
  layers: readonly Layer[],
  findCandidate: (layer: Layer, slot: number) => Candidate | undefined,
): readonly Candidate[] {
  const named = new Map<IndexedDocument, Candidate>()
  const seen = new Set<string>()
  for (const name of writtenNames(query.slice(0, LONGEST_QUERY), layers)) {
    // A repeated name, in any spelling, is the same document.
    if (seen.has(name.squashed)) continue
    seen.add(name.squashed)
    const whole = candidatesNamed(name, layers, 'whole', findCandidate)
    const matching = whole.length > 0 ? whole : candidatesNamed(name, layers, 'bare', findCandidate)
    const left = matching.filter(({ document }) => !named.has(document))
    for (const one of whole.length > 0 ? left : left.slice(0, 1)) named.set(one.document, one)
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

/** Returns the documents with a name: their complete name (`whole`), or within their owner (`bare`). */
function candidatesNamed(
  { text, squashed }: WrittenName,
  layers: readonly Layer[],
  which: 'whole' | 'bare',
  findCandidate: (layer: Layer, slot: number) => Candidate | undefined,
): readonly Candidate[] {
  const isExact = ({ document }: Candidate) => document.name === text || document.bare === text
  return layers
    .flatMap((layer) =>
      layer.segment.names[which](squashed).flatMap((slot) => findCandidate(layer, slot) ?? []),
    )
    .sort((a, b) => Number(isExact(b)) - Number(isExact(a)) || byPoints(a, b))
}

/** The confidence of a query that equals a phrase of exactly one document. */
const EQUAL_CONFIDENCE = 0.9

/** The same for a query that contains a phrase, times the phrase's share of its letters. */
const CONTAINED_CONFIDENCE = 0.8

/** A phrase of one word must be at least this share of the query. */
const LEAST_WORD = 0.5

/** Parts of longer queries are not compared with phrases. */
const MOST_WORDS = 24

const LONGEST_PHRASED = 400

const BETWEEN = /[^\p{L}\p{M}\p{N}]+/u

/**
 * Returns the documents of the longest phrase that a query equals or contains, in any case and with
 * any separators. If several have it, they are sorted by points, and share the confidence.
 *
 * @param findCandidate a document with its points; undefined when it must not be found
 */
export function candidatesByPhrase(
  query: string,
  layers: readonly Layer[],
  findCandidate: (layer: Layer, slot: number) => Candidate | undefined,
):
  | {
      readonly candidates: readonly Candidate[]
      /** From 0 to 1, that the first of them is the right one. */
      readonly confidence: number
    }
  | undefined {
  if (query.length > LONGEST_PHRASED || layers.every(({ segment }) => segment.phrases.isEmpty)) {
    return undefined
  }
  const whole = squashName(query)
  for (const part of splitQuery(query, whole)) {
    const candidates = layers
      .flatMap((layer) =>
        layer.segment.phrases.slotsWith(part).flatMap((slot) => findCandidate(layer, slot) ?? []),
      )
      .sort(byPoints)
    if (candidates.length === 0) continue
    const confidence =
      part === whole ? EQUAL_CONFIDENCE : (CONTAINED_CONFIDENCE * part.length) / whole.length
    return { candidates, confidence: confidence / candidates.length }
  }
  return undefined
}

/** Returns a query, its runs of words, and any single word that is most of it; the longest first. */
function splitQuery(query: string, whole: string): readonly string[] {
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

/** Names of at least this length may have two typing mistakes, shorter ones one. */
const LONG_NAME = 14

/** Characters of a query that are compared with names. */
const LONGEST_TYPED = 200

/** Returns the candidate whose name equals the query except for typing mistakes. */
export function candidateByTypo(
  query: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const wanted = squashName(query.slice(0, LONGEST_TYPED))
  if (wanted.length < SHORTEST_TYPED) return undefined
  const allowed = wanted.length >= LONG_NAME ? 2 : 1
  const near = candidates.flatMap((candidate) => {
    const { name, bare } = candidate.document
    const edits = Math.min(
      ...[name, bare]
        .map(squashName)
        .map((one) =>
          Math.abs(wanted.length - one.length) > 2 ? Infinity : distance(wanted, one),
        ),
    )
    return edits <= allowed ? [{ candidate, edits }] : []
  })
  return near.sort((a, b) => a.edits - b.edits || byPoints(a.candidate, b.candidate))[0]?.candidate
}
