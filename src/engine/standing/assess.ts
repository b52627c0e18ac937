import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import type { ToolStatus } from './tool-status.ts'
import { type ToolRow, toolTable } from './tool-table.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'

/** A tool's standing: what lists, `explain`, exposure and the call pipeline all go by. */
export type Assessment =
  | { readonly kind: 'registered'; readonly status: ToolStatus; readonly row: ToolRow }
  /** Known to the catalog, registered by nobody now. `bringers` are the skills that would bring it. */
  | {
      readonly kind: 'unregistered'
      readonly status: 'skill-inactive'
      readonly name: string
      readonly bringers: readonly string[]
    }
  | {
      readonly kind: 'unknown'
      readonly status: 'unknown'
      readonly name: string
      readonly nearest: readonly string[]
    }

/**
 * Decide a tool's standing in a state.
 *
 * @param address a name as registered, or `owner/name` for one owner's tool; `skill:owner/name`
 *   when owners of two kinds have that name
 */
export function assess(state: WorkspaceState, context: EngineContext, address: string): Assessment {
  const table = toolTable(state, context)
  const row = table.byName.get(address) ?? table.byAddress.get(address)
  if (row) return { kind: 'registered', status: row.status, row }
  const { catalog } = context
  const slash = address.indexOf('/')
  const owner = slash < 0 ? null : address.slice(0, slash).replace(/^skill:/u, '')
  const name = slash < 0 ? address : address.slice(slash + 1)
  const bringers = (catalog.bringers.get(name) ?? []).filter(
    (skill) => owner === null || skill === owner,
  )
  if (bringers.length > 0 || (owner === null && catalog.sharedTools.has(name))) {
    return { kind: 'unregistered', status: 'skill-inactive', name, bringers }
  }
  const known = new Set([
    ...table.rows.map((one) => one.claim.name),
    ...catalog.bringers.keys(),
    ...catalog.sharedTools.keys(),
  ])
  return { kind: 'unknown', status: 'unknown', name, nearest: nearestNames(name, [...known]) }
}
