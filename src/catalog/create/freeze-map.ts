import { WorkspaceError } from '../../kernel/workspace-error.ts'

/**
 * Make a map refuse every change, in place. `Object.freeze` alone leaves its entries open,
 * and the type `ReadonlyMap` holds nobody who writes JavaScript.
 */
export function freezeMap<K, V>(map: Map<K, V>): ReadonlyMap<K, V> {
  for (const method of ['set', 'delete', 'clear']) {
    Object.defineProperty(map, method, { value: refuse })
  }
  return Object.freeze(map)
}

function refuse(): never {
  throw new WorkspaceError('CATALOG_FROZEN', 'A catalog cannot be changed.', {
    hint: 'Make a new one with createCatalog.',
  })
}
