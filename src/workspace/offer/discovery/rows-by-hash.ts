import type { ToolRow } from '../../../engine/standing/tool-row.ts'
import type { ToolTable } from '../../../engine/standing/tool-table.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'

const rows = new WeakMap<ToolTable, ReadonlyMap<ContentHash, ToolRow>>()

/** Every registered tool by its definition, whatever name it goes by. */
export function rowsByHash(table: ToolTable): ReadonlyMap<ContentHash, ToolRow> {
  const known = rows.get(table)
  if (known !== undefined) return known
  const byHash = new Map(table.rows.map((row) => [row.claim.hash, row]))
  rows.set(table, byHash)
  return byHash
}
