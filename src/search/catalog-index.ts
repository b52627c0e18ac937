import type { Catalog } from '../catalog/create/catalog.ts'
import { createToolIndex } from './rank/create-tool-index.ts'
import { documentsOf } from './documents-of.ts'
import type { SharedToolIndex } from './rank/tool-index.ts'

const indexes = new WeakMap<Catalog, SharedToolIndex>()

/** The index of a catalog's tools and skills: built when first asked for, shared by sessions. */
export function catalogIndex(catalog: Catalog): SharedToolIndex {
  const known = indexes.get(catalog)
  if (known !== undefined) return known
  const index = createToolIndex(documentsOf(catalog))
  indexes.set(catalog, index)
  return index
}
