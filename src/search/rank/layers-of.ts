import type { Layer } from './layer.ts'
import type { SharedToolIndex } from './tool-index.ts'

const known = new WeakMap<SharedToolIndex, () => readonly Layer[]>()

/** Keep what an index is made of, for another to be laid over it. */
export function keepLayers(index: SharedToolIndex, layers: () => readonly Layer[]): void {
  known.set(index, layers)
}

/** What an index is made of now; undefined when it is not one of ours. */
export function layersOf(index: SharedToolIndex): readonly Layer[] | undefined {
  return known.get(index)?.()
}
