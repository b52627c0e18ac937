import { createToolIndex } from './create-tool-index.ts'
import type { ToolDocument } from './tool-document.ts'
import type { SharedToolIndex, ToolIndex } from './tool-index.ts'

/**
 * A session's own few documents over a shared index, ranked together as one fresh index of
 * all would rank them.
 *
 * The shared index is neither copied nor changed: `add` puts a document into the layer, in
 * place of the shared one with its kind and name, and `remove` hides a shared one.
 */
export function layeredIndex(
  base: SharedToolIndex,
  documents: Iterable<ToolDocument> = [],
): ToolIndex {
  const own = createToolIndex(documents)
  return {
    get size() {
      return base.size + own.size
    },
    add: own.add,
    remove: own.remove,
    search: (query, options) => {
      const [a, b] = [base.search(query, options), own.search(query, options)]
      const results = [...a.results, ...b.results].sort((one, two) => two.score - one.score)
      const confidence = Math.max(a.confidence, b.confidence)
      return { results: results.slice(0, options?.limit ?? 5), confidence, route: 'lexical' }
    },
  }
}
