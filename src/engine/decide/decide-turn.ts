import { accepted, type Decision } from './decision.ts'
import type { Order } from '../model/command.ts'
import {
  DEFAULT_KEEPING,
  type DiscoveryEvent,
  type FoundKeeping,
  type FoundToolState,
} from '../model/discovery-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { hasEnded } from '../standing/ended-lifetimes.ts'
import { hiddenTools } from '../standing/findable-tools.ts'
import { isExpired } from '../standing/remembered-approval.ts'
import { toolTable } from '../standing/tool-table.ts'

/**
 * Begin a turn, and let go what ends with the one before: questions past their time, and found tools
 * past theirs. Skills whose lifetime ends need their hooks, so they go by commands of their own.
 */
export function decideTurn(state: WorkspaceState, order: Order, context: EngineContext): Decision {
  const turn = state.turn + 1
  const keep = context.discovery?.keep ?? DEFAULT_KEEPING
  return accepted(
    order,
    ...state.confirmations
      .filter((one) => isExpired(one, order))
      .map(({ id }) => ({ type: 'confirmation.expired' as const, id })),
    { type: 'turn.begun', turn },
    ...evictionEvents(overdueTools(state.found, turn, keep), state, context),
  )
}

/**
 * The events of found tools that are forgotten, each with its price. A tool that is shown for
 * another reason, too (its skill is active, it is pinned), stays in the request.
 */
export function evictionEvents(
  evictions: readonly Eviction[],
  state: WorkspaceState,
  context: EngineContext,
): readonly WorkspaceEvent[] {
  if (evictions.length === 0) return []
  const hidden = hiddenTools(state, context)
  const { byName } = toolTable(state, context)
  return evictions.map(({ reason, tools }) => {
    const names = tools.map(({ name }) => name)
    const leaving = names.filter((name) => hidden.has(name) || !byName.has(name))
    const price = context.priceOf?.(leaving, state) ?? NOTHING
    return { type: 'tools_evicted', tools: names, reason, ...price }
  })
}

const NOTHING = { tokensFreed: 0, prefixLost: 0 }

/** Found tools that go for one reason. */
interface Eviction {
  readonly reason: Extract<DiscoveryEvent, { type: 'tools_evicted' }>['reason']
  readonly tools: readonly FoundToolState[]
}

/** The found tools whose time is over when a turn begins. */
function overdueTools(
  found: readonly FoundToolState[],
  turn: number,
  { turns, idleTurns }: FoundKeeping,
): readonly Eviction[] {
  const old = found.filter((one) => turns !== undefined && hasEnded({ turns }, one, turn))
  const idle = found.filter(
    (one) =>
      idleTurns !== undefined && !old.includes(one) && hasEnded({ idle: idleTurns }, one, turn),
  )
  return [
    { reason: 'turns' as const, tools: old },
    { reason: 'idle' as const, tools: idle },
  ].filter(({ tools }) => tools.length > 0)
}

/** The found tools that are too many: those used longest ago, and the later found of one finding. */
export function toolsOverCap(
  found: readonly FoundToolState[],
  { cap }: FoundKeeping,
): readonly Eviction[] {
  if (found.length <= cap) return []
  const places = new Map(found.map((one, index) => [one, index]))
  const tools = found
    .toSorted((a, b) => a.lastSeq - b.lastSeq || (places.get(b) ?? 0) - (places.get(a) ?? 0))
    .slice(0, found.length - cap)
  return [{ reason: 'cap', tools }]
}
