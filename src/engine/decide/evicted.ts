import type { WorkspaceEvent } from '../model/event.ts'
import type { Eviction } from './evictions.ts'
import { hiddenTools } from '../standing/hidden-tools.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import { toolTable } from '../standing/tool-table.ts'

/**
 * The events of found tools that are forgotten, each with its price. A tool that is shown for
 * another reason, too (its skill is active, it is pinned), stays in the request.
 */
export function evicted(
  evictions: readonly Eviction[],
  state: WorkspaceState,
  around: Surroundings,
): readonly WorkspaceEvent[] {
  if (evictions.length === 0) return []
  const hidden = hiddenTools(state, around)
  const { byName } = toolTable(state, around)
  return evictions.map(({ reason, tools }) => {
    const names = tools.map(({ name }) => name)
    const leaving = names.filter((name) => hidden.has(name) || !byName.has(name))
    const price = around.priceOf?.(leaving, state) ?? NOTHING
    return { type: 'tools_evicted', tools: names, reason, ...price }
  })
}

const NOTHING = { tokensFreed: 0, prefixLost: 0 }
