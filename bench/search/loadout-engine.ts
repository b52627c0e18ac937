import { createToolIndex } from 'loadout/search'
import type { SearchEngine } from './search-engine.ts'

export const loadoutEngine: SearchEngine = {
  name: 'loadout',
  build(documents) {
    const index = createToolIndex(documents)
    return {
      search: (query, limit) => index.search(query, { limit }).results.map(({ name }) => name),
      addAndRemove(document) {
        index.add(document)
        index.remove(document.name)
      },
    }
  },
}
