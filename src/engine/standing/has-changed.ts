import type { Catalog } from '../../catalog/create/catalog.ts'
import type { OpenSource } from '../model/source-state.ts'

const memo = new WeakMap<OpenSource, { readonly catalog: Catalog; readonly changed: boolean }>()

/**
 * Whether an open skill is not what the session activated, or is gone from the catalog.
 *
 * Its hash alone does not tell: a skill that names shared tools, or extends another, keeps it
 * when one of those tools changes.
 */
export function hasChanged(source: OpenSource, catalog: Catalog): boolean {
  const known = memo.get(source)
  if (known?.catalog === catalog) return known.changed
  const { owner, definition, claims } = source
  const now = new Set((catalog.skillTools.get(owner) ?? []).map(({ tool }) => tool.hash))
  const changed =
    catalog.skills.get(owner)?.hash !== definition ||
    claims.length !== now.size ||
    claims.some(({ hash }) => !now.has(hash))
  memo.set(source, { catalog, changed })
  return changed
}
