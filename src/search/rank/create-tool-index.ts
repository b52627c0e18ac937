import { createSegment } from '../index/segment.ts'
import { wholeLayer } from './layer.ts'
import { searchLayers } from './search-layers.ts'
import { keepLayers } from './layers-of.ts'
import type { ToolDocument } from '../index/tool-document.ts'
import type { ToolIndex } from './tool-index.ts'

/** An index over these documents; of two with one kind and name the last is kept. */
export function createToolIndex(documents: Iterable<ToolDocument> = []): ToolIndex {
  const segment = createSegment()
  const layers = [wholeLayer(segment)]
  for (const document of documents) segment.put(document)
  const index: ToolIndex = {
    get size() {
      return segment.size
    },
    add: (document) => segment.put(document),
    remove: (name, kind = 'tool') => segment.take(name, kind),
    search: (query, options) => searchLayers(layers, query, options),
  }
  keepLayers(index, () => layers)
  return index
}
