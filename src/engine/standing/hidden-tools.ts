import { covers } from './covers.ts'
import { isMeta } from '../model/meta-owner.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import { toolTable, type ToolTable } from './tool-table.ts'

const NONE: ReadonlySet<string> = new Set()

/** By the table they were read off: who has another one has other surroundings, too. */
const memo = new WeakMap<ToolTable, ReadonlySet<string>>()

/**
 * Names of the available tools that a session with search need not show unless they are found: all
 * but meta-tools, pinned ones and those of active skills. None without search.
 */
export function hiddenTools(
  state: WorkspaceState,
  surroundings: Surroundings,
): ReadonlySet<string> {
  const { discovery } = surroundings
  if (discovery === undefined) return NONE
  const table = toolTable(state, surroundings)
  const known = memo.get(table)
  if (known) return known
  const hidden = table.rows.filter(
    ({ owner, claim, status }) =>
      status === 'available' &&
      owner.source !== 'skill' &&
      !isMeta(owner) &&
      covers(discovery.pinned, claim) === undefined,
  )
  const names = new Set(hidden.map(({ name }) => name))
  memo.set(table, names)
  return names
}
