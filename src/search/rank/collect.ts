import type { DocumentKind } from '../tool-index.ts'
import { byPoints, type Candidate } from './candidate.ts'
import type { Layer } from './layer.ts'
import type { QueryWord } from './query-word.ts'
import { scoreBoard } from './score-board.ts'

/** Documents that are looked at closely. */
export const MOST_CANDIDATES = 64

type Filter = (name: string, kind: DocumentKind) => boolean

/** The documents with the most points of all layers, best first. */
export function collect(
  layers: readonly Layer[],
  words: readonly QueryWord[],
  most: number,
  only: Filter,
): readonly Candidate[] {
  return layers
    .flatMap((layer) => best(layer, words, most, only))
    .sort(byPoints)
    .slice(0, most)
}

function best(
  layer: Layer,
  words: readonly QueryWord[],
  most: number,
  only: Filter,
): readonly Candidate[] {
  const { points, touched } = scoreBoard(layer, words)
  const kept: Candidate[] = []
  let least = 0
  for (const slot of touched) {
    const mine = points[slot] ?? 0
    if (mine < least || layer.hidden.has(slot)) continue
    const held = layer.segment.held(slot)
    if (held === undefined || !only(held.name, held.kind)) continue
    kept.push({ layer, slot, held, points: mine })
    if (kept.length < most * 4) continue
    kept.sort(byPoints).length = most
    least = kept.at(-1)?.points ?? 0
  }
  return kept.sort(byPoints).slice(0, most)
}
