import type { Held } from '../index/held.ts'
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
export function namedIn(
  query: string,
  layers: readonly Layer[],
  candidateOf: (layer: Layer, slot: number) => Candidate | undefined,
): readonly Candidate[] {
  const named = new Map<Held, Candidate>()
  const said = new Set<string>()
  for (const name of writtenNames(query.slice(0, LONGEST_QUERY), layers)) {
    // A name that is said again, in whatever writing, means the one it meant.
    if (said.has(name.squashed)) continue
    said.add(name.squashed)
    const whole = holders(name, layers, 'whole', candidateOf)
    const meant = whole.length > 0 ? whole : holders(name, layers, 'bare', candidateOf)
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
function holders(
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
