import type { ToolTable } from './tool-table.ts'
import { sameOwner } from '../model/same-owner.ts'

/** How the available tools of two moments differ, by name. */
export interface ToolDifference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Still available, but another owner's or another definition. */
  readonly changed: readonly string[]
}

const NO_DIFFERENCE: ToolDifference = { added: [], removed: [], changed: [] }

/** Compare what was available with what is. */
export function toolDifference(before: ToolTable, after: ToolTable): ToolDifference {
  if (before === after) return NO_DIFFERENCE
  const was = availableRows(before)
  const is = availableRows(after)
  return {
    added: [...is.keys()].filter((name) => !was.has(name)),
    removed: [...was.keys()].filter((name) => !is.has(name)),
    changed: [...is].flatMap(([name, row]) => {
      const old = was.get(name)
      const same =
        old === undefined || (old.claim.hash === row.claim.hash && sameOwner(old.owner, row.owner))
      return same ? [] : [name]
    }),
  }
}

export function isEmpty({ added, removed, changed }: ToolDifference): boolean {
  return added.length + removed.length + changed.length === 0
}

function availableRows({ rows }: ToolTable) {
  return new Map(
    rows.filter(({ status }) => status === 'available').map((row) => [row.name, row] as const),
  )
}
