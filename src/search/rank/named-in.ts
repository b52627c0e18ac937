import { distance } from 'fastest-levenshtein'
import { squashName } from '../words/squash-name.ts'
import { byPoints, type Candidate } from './candidate.ts'
import type { Layer } from './layer.ts'

/** Characters of a request in which names are looked for. */
const LONGEST_QUERY = 4_000
const MOST_NAMES = 50

const CHUNKS = /[\s,;|"'`()[\]{}<>]+/u
const SEGMENTS = /[,;|\n]| and | or /u
/** Something inside a word that names have and words do not. */
const LIKE_A_NAME = /[\p{L}\p{N}][_./:-]+[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}\p{N}/u

/** A slip in a name: one letter, two in a long one. */
const SHORTEST_SLIP = 5
const LONG_NAME = 14

/**
 * The documents that a query calls by name, one for each name in it, in their order.
 *
 * A query may be one name in any writing, a list of names, or a sentence in which something
 * stands that can only be a name (`get_page`, `getPage`).
 *
 * @param pointsOf what the rest of the query says for a document: settles who is meant by a
 *   name that several have
 */
export function namedIn(
  query: string,
  layers: readonly Layer[],
  candidateOf: (layer: Layer, slot: number) => Candidate | undefined,
): readonly Candidate[] {
  const named: Candidate[] = []
  for (const name of writtenNames(query.slice(0, LONGEST_QUERY), layers)) {
    const meant = holders(name, layers, candidateOf).filter(
      (one) => !named.some((other) => sameDocument(one, other)),
    )
    const [first] = meant
    if (first === undefined) continue
    const both = meant.filter(({ held }) => squashName(held.name) === name)
    named.push(...(both.length > 0 ? both : [first]))
    if (named.length >= MOST_NAMES) break
  }
  return named
}

/** The candidate whose name a query is but for a slip of the finger; undefined when none or several. */
export function misspelt(query: string, candidates: readonly Candidate[]): Candidate | undefined {
  const wanted = squashName(query.slice(0, 200))
  if (wanted.length < SHORTEST_SLIP) return undefined
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

function writtenNames(query: string, layers: readonly Layer[]): readonly string[] {
  const whole = squashName(query)
  if (isName(whole, layers)) return [whole]
  const segments = query
    .split(SEGMENTS)
    .map(squashName)
    .filter((one) => one !== '')
  if (segments.every((one) => isName(one, layers))) return segments
  const chunks = query.split(CHUNKS).filter((chunk) => LIKE_A_NAME.test(chunk))
  return chunks.map(squashName).filter((one) => isName(one, layers))
}

function isName(squashed: string, layers: readonly Layer[]): boolean {
  return layers.some(
    ({ segment }) => segment.names.whole(squashed).length + segment.names.bare(squashed).length > 0,
  )
}

/** Those of this very name before those that are called so by their owner. */
function holders(
  name: string,
  layers: readonly Layer[],
  candidateOf: (layer: Layer, slot: number) => Candidate | undefined,
): readonly Candidate[] {
  const of = (slotsIn: (layer: Layer) => readonly number[]) =>
    layers
      .flatMap((layer) =>
        slotsIn(layer).flatMap((slot) =>
          layer.hidden.has(slot) ? [] : (candidateOf(layer, slot) ?? []),
        ),
      )
      .sort(byPoints)
  const whole = of(({ segment }) => segment.names.whole(name))
  return whole.length > 0 ? whole : of(({ segment }) => segment.names.bare(name))
}

function sameDocument(a: Candidate, b: Candidate): boolean {
  return a.layer === b.layer && a.slot === b.slot
}
