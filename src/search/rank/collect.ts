import type { DocumentKind } from './tool-index.ts'
import { byPoints, type Candidate } from './candidate.ts'
import type { Layer } from './layer.ts'
import { createLargest } from './largest.ts'
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
  const points = scoreBoard(layer, words)
  const { slots } = layer.segment
  const allowed = (slot: number): Candidate | undefined => {
    const held = layer.hidden.has(slot) ? undefined : layer.segment.held(slot)
    if (held === undefined || !only(held.name, held.kind)) return undefined
    return { layer, slot, held, points: points[slot] ?? 0 }
  }
  const largest = createLargest(most)
  let least = 0
  for (let slot = 0; slot < slots; slot += 1) {
    const mine = points[slot] ?? 0
    if (mine <= least || allowed(slot) === undefined) continue
    largest.add(mine)
    least = largest.least
  }
  const found: Candidate[] = []
  for (let slot = 0; slot < slots; slot += 1) {
    const mine = points[slot] ?? 0
    const candidate = mine > 0 && mine >= least ? allowed(slot) : undefined
    if (candidate !== undefined) found.push(candidate)
  }
  return found
}
